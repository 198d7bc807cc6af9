"""The service: steps over HTTP, and many studies in one process."""

from page.common import at_least, at_most, median, output, table

runs = 1  # of many studies; of the other rows TABLES

TABLES = 3

ROW = "{}, connections: {}, studies: {}"
MANY = "10000 studies"
DISK = "it waits for the disk"


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def steps_of(text):
    """The figures of the table of steps, by row and column."""
    lines = text.splitlines()
    results = {}
    for line in lines[2:]:
        durability, connections, studies, *figures = cells(line)
        row = ROW.format(durability, connections, studies)
        for name, figure in zip(cells(lines[0])[3:], figures):
            results[f"{row}: {name}"] = float(figure)
    return results


def measure(build):
    """Medians over some tables of steps, since the disk has its moments; and many studies."""
    bench = f"{build}/bench/bench_service"
    tables = [steps_of(output([bench])) for _ in range(TABLES)]
    results = {name: median([table[name] for table in tables]) for name in tables[0]}
    lines = output([bench, "many"]).splitlines()
    for name, figure in zip(cells(lines[0])[1:], cells(lines[2])[1:]):
        results[f"{MANY}: {name}"] = float(figure)
    return results


def goals(results):
    disk = ROW.format("disk", 64, 1)
    return [
        at_least("durable steps a second over HTTP, 64 connections: at least 25,000",
                 results[f"{disk}: steps a second"], 25000, "{:.0f}", DISK),
        at_most("their p99 in ms: at most 8", results[f"{disk}: p99, us"] / 1000, 8, "{:.1f}"),
        at_most("us of the server's processor for each: at most 25",
                results[f"{disk}: processor of the server, us a step"], 25, "{:.1f}"),
        at_least("the same steps by TLS: at least 15,000",
                 results[f"{ROW.format('disk, TLS', 64, 1)}: steps a second"], 15000, "{:.0f}",
                 DISK),
        at_least("steps a second over HTTP that a power cut may lose: at least 35,000",
                 results[f"{ROW.format('process', 64, 1)}: steps a second"], 35000, "{:.0f}"),
        at_most("us of a durable step by one connection, p50: at most 150",
                results[f"{ROW.format('disk', 1, 1)}: p50, us"], 150, "{:.0f}", DISK),
        at_most("MB of 10,000 studies in one process: at most 1000",
                results[f"{MANY}: memory, MB"], 1000, "{:.0f}"),
        at_most("ms of the first ask of a cold one, p99: at most 2",
                results[f"{MANY}: p99, ms"], 2),
    ]


def section(results):
    names = list(results.runs[0])
    rows = list(dict.fromkeys(name.rpartition(": ")[0] for name in names))
    columns = [name.rpartition(": ")[2] for name in names if name.startswith(rows[0] + ":")]
    several = [name for name in names if name.startswith(MANY)]
    return [
        "## The service",
        "",
        "Steps of `parameter_free` on `simplex(10)` over connections that are kept, with server and "
        "client on the same processors (`bench_service`). A step is a tell and an ask as one unit. "
        "*Disk* survives a power cut, *process* the end of the server. Steps and times are by the "
        f"clock, and the medians of {TABLES} tables.",
        "",
        *table(["steps", *columns],
               [[row, *(f"{results[f'{row}: {name}']:g}" for name in columns)]
                for row in rows if row != MANY]),
        *table([MANY + " in one process", ""],
               [[name.rpartition(": ")[2], f"{results[name]:g}"] for name in several]),
    ]
