"""The parts of docs/performance.md, each a module with

    runs             how often it measures; ratios are formed within a run
    measure(build)   one run: a dictionary of numbers by name
    goals(results)   rows of the table of goals, made by at_most, at_least and shown of common
    section(results) lines of Markdown

scripts/performance puts them together.
"""
