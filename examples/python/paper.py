"""The paper's evaluation in small, with the default learner next to it, and its figures.

The paper compares its Algorithm 1 with FKM, which projects, with the same without a regulariser, and
with a method that is told noisy gradients, on three problems. `keyhole reproduce` runs it in full.
"""

import pathlib

import keyhole as kh

PROBLEMS = [
    {"name": "quadratic programming", "spec": kh.problems.quadratic(n=10, rows=4)},
    {"name": "portfolio", "spec": kh.problems.portfolio(n=10)},
    {"name": "matrix completion", "spec": kh.problems.completion(n=4, k=3)},
]

LEARNERS = [
    {"name": "default", "spec": kh.learners.posterior()},
    {"name": "Proposed", "spec": kh.learners.anytime(kh.learners.projection_free())},
    {"name": "FKM", "spec": kh.learners.anytime(kh.learners.fkm())},
    {"name": "Unregularized", "spec": kh.learners.anytime(kh.learners.unregularized())},
    {"name": "StochOCG", "spec": kh.learners.anytime(kh.learners.stochastic_ocg())},
]


def main():
    experiment = kh.Experiment(PROBLEMS, LEARNERS, rounds=8192, repeats=3, seed=1)
    results = experiment.run("paper.results", timing=0)  # interrupted, it goes on when run again
    summary = results.summary()
    print("average regret after 8192 rounds, as a share of that of staying at the centre")
    for problem in results.problems:
        print(problem)
        for row in summary[summary["problem"] == problem][:len(LEARNERS)]:
            print(f"  {row['learner']:13}  {row['relative_regret']:6.3f}")
    learners = [learner["name"] for learner in LEARNERS] + ["stay"]
    results.save("paper_regret.pdf", "regret", learners=learners)
    results.save("paper_loss.pdf", "loss", learners=learners)
    for path in sorted(pathlib.Path().glob("paper_*.pdf")):
        print(f"wrote {path}")


main()
