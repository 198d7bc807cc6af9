"""usage: packaging.py <keyhole program>

What packaging/ starts, started as it is written there: the command of the unit and that of the
container, in folders of their own and at free ports. systemd-analyze looks at the unit. The
container must install what the program is linked with. What watches the service asks for what it
shows.
"""

import json
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

PROGRAM = os.path.abspath(sys.argv[1])
PACKAGING = pathlib.Path(__file__).parents[2] / "packaging"


def value_of(unit, key):
    """The value of a line KEY=VALUE."""
    return re.search(rf"^{key}=(.*)$", unit, re.MULTILINE)[1]


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def status_of(port, path):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=300) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def run(words, port, seconds, files, expected):
    """Starts a server, sends it a hang-up and ends it, as an operator would."""

    def limits():
        os.umask(0o077)
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(files, most), min(files, most)))

    server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, preexec_fn=limits)
    try:
        line = server.stdout.readline()
        assert line.startswith("listening at ") and str(port) in line, line
        assert status_of(port, "/healthz") == 200
        assert status_of(port, "/v1/studies") == expected
        server.send_signal(signal.SIGHUP)
        assert status_of(port, "/readyz") == 200
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=seconds) == 0
    finally:
        server.kill()
        server.wait()
        server.stdout.close()


def check_unit(folder):
    unit = (PACKAGING / "keyhole.service").read_text(encoding="utf-8")
    words = value_of(unit, "ExecStart").split()
    assert words[0] == "/usr/bin/keyhole"
    state = value_of(unit, "StateDirectory")
    assert words[1:] == ["serve", "--config=/etc/keyhole/server.toml"]
    assert value_of(unit, "ExecReload") == "/bin/kill -HUP $MAINPID"
    port = free_port()
    settings = (PACKAGING / "server.toml").read_text(encoding="utf-8")
    assert f"/var/lib/{state}" in settings and ":8600" in settings
    settings = settings.replace(f"/var/lib/{state}", f"{folder}/{state}").replace(":8600", f":{port}")
    (folder / "server.toml").write_text(settings, encoding="utf-8")
    run([PROGRAM, "serve", f"--config={folder}/server.toml"], port,
        int(value_of(unit, "TimeoutStopSec")),
        int(value_of(unit, "LimitNOFILE")), 200)
    assert (folder / state).stat().st_mode & 0o077 == 0, "others can read the studies"
    here = folder / "keyhole.service"
    here.write_text(unit.replace("/usr/bin/keyhole", PROGRAM), encoding="utf-8")
    looked = subprocess.run(["systemd-analyze", "verify", "--man=no", here],
                            capture_output=True, text=True, check=False)
    assert "keyhole.service" not in looked.stderr, looked.stderr
    assert looked.returncode == 0, looked.stderr
    # In tenths: 0 may do nothing, 100 anything. Below 20 systemd has nothing to say against it.
    looked = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager",
                             "--threshold=20", here], capture_output=True, text=True, check=False)
    assert looked.returncode == 0, looked.stdout + looked.stderr


def libraries():
    """The packages of the libraries that the program is linked with."""
    linked = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True, check=True).stdout
    packages = set()
    for path in re.findall(r"=> (/\S+)", linked):
        if "san.so" in path:  # of a build that looks for errors
            continue
        # The folder /lib is /usr/lib, and dpkg may know the file by either name.
        names = {path, os.path.realpath(path), path.removeprefix("/usr")}
        found = subprocess.run(["dpkg", "-S", *names], capture_output=True, text=True, check=False)
        packages |= set(re.findall(r"^([^:,\s]+):", found.stdout, re.MULTILINE))
    return packages


def known_packages():
    """By name: what a package depends on, by any of its alternatives, and what it provides."""
    lines = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${Package}\t${Pre-Depends},${Depends}\t${Provides}\n"],
        capture_output=True, text=True, check=True).stdout.splitlines()
    names = re.compile(r"(?:^|[,|])\s*([a-z0-9][a-z0-9.+-]+)")
    return {name: (set(names.findall(depends)), set(names.findall(provides)))
            for name, depends, provides in (line.split("\t") for line in lines)}


def needed_by(packages, known):
    """The packages, and all that they depend on."""
    needed, new = set(), set(packages)
    while new:
        needed |= new
        new = set().union(*(known[name][0] for name in new if name in known)) - needed
    return needed


def check_container(folder):
    text = (PACKAGING / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    final = text[text.rindex("\nFROM "):]
    words = [json.loads(re.search(rf"^{what} (\[.*\])$", final, re.MULTILINE)[1])
             for what in ("ENTRYPOINT", "CMD")]
    assert words[0][0] == "keyhole"
    port = free_port()
    tokens = folder / "tokens"
    tokens.write_text("", encoding="utf-8")
    replaced = {"=/studies": f"={folder}/studies", "=/tokens": f"={tokens}", ":8600": f":{port}"}
    command = [PROGRAM]
    for word in words[0][1:] + words[1]:
        for old, new in replaced.items():
            word = word.replace(old, new)
        command.append(word)
    run(command, port, 20, 65536, 401)
    assert "USER keyhole" in final
    if shutil.which("dpkg"):
        installs = re.search(r"--no-install-recommends ([^&]*)&&", final)[1].split()
        # apt is in every image of Debian, with what it needs.
        known = known_packages()
        there = needed_by([*installs, "apt"], known)
        # Several packages provide a BLAS.
        missing = [name for name in libraries() if not ({name} | known[name][1]) & there]
        assert not missing, f"the container does not install {missing}"


def call(port, path, body):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=300) as answer:
        return json.load(answer)


def check_monitoring(folder):
    """The dashboard and the alerts name metrics and labels that there are."""
    port = free_port()
    server = subprocess.Popen([PROGRAM, "serve", f"--store={folder}/watched",
                               f"--listen=127.0.0.1:{port}"], stdout=subprocess.PIPE, text=True)
    try:
        server.stdout.readline()
        space = {"parameters": [{"name": "threads", "type": "number", "from": 1, "to": 64}],
                 "limits": [{"name": "p99", "most": 200}]}
        call(port, "/v1/studies", {"name": "shop", "space": space})
        tells = []
        for threads in range(1, 40):
            play = call(port, "/v1/studies/shop/steps", {"tells": tells})["plays"][0]["play"]
            tells = [{"play": play, "loss": 1, "metrics": {"p99": 5 * threads}}]
        pause = urllib.request.Request(f"http://127.0.0.1:{port}/v1/studies/shop/paused",
                                       b'{"paused": true}', method="PUT")
        urllib.request.urlopen(pause, timeout=300).close()  # then what it knows is looked at
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=300) as answer:
            shown = answer.read().decode()
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()
    names = set(re.findall(r"^(\w+)", shown, re.MULTILINE))
    labels = set(re.findall(r'[{,](\w+)="', shown)) | {"instance"}
    panels = json.loads((PACKAGING / "grafana.json").read_text(encoding="utf-8"))["panels"]
    rules = (PACKAGING / "prometheus-rules.yml").read_text(encoding="utf-8")
    used = " ".join(target["expr"] + " " + target["legendFormat"]
                    for panel in panels for target in panel["targets"]) + rules
    wanted = set(re.findall(r"\b(?:keyhole|process)_\w+", used))
    assert len(wanted) > 15 and wanted <= names, wanted - names
    by = set(re.findall(r"\w+", " ".join(re.findall(r"by \(([^)]*)\)", used))))
    by |= set(re.findall(r"\{\{ ?(?:\$labels\.)?(\w+) ?\}\}", used))
    by |= set(re.findall(r"\{(\w+)=", used))
    assert len(by) > 5 and by <= labels, by - labels
    routes = re.findall(r'route=~\\?"([^"\\]*)', used)
    assert routes and all(re.search(f'route="{route}"', shown) for route in routes)


with tempfile.TemporaryDirectory(prefix="keyhole-packaging-") as made:
    check_unit(pathlib.Path(made))
    check_container(pathlib.Path(made))
    check_monitoring(pathlib.Path(made))
