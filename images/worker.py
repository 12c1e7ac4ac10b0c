"""Starts the model server of a container and says that it is ready only after it has proved it.

  worker.py COMMAND [ARGUMENT...]   runs the server and answers WORKER_HEALTH_PATH at WORKER_HEALTH_PORT
  worker.py --check                 asks that path; exit code 0 = ready

Ready means, for every model of WORKER_MODELS: the server holds it with the pinned digest, it has answered in a JSON schema that its instructions
contradict (so that a server that ignores schemas fails), with a picture where it sees pictures, and all of it lies in graphics memory. Ollama
computes on the CPU without a word when it finds no GPU or too little memory; such a worker never becomes ready.

The program has no dependencies but Python, holds no key, and needs no network but the loopback address.
"""

import base64
import json
import os
import signal
import struct
import subprocess
import sys
import threading
import urllib.error
import urllib.request
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ANSWER_SECONDS = 30
GENERATION_SECONDS = 600
SIDE_PIXELS = 64


def setting(name, fallback):
    return os.environ.get(name, fallback)


HEALTH_PORT = int(setting("WORKER_HEALTH_PORT", "8080"))
HEALTH_PATH = setting("WORKER_HEALTH_PATH", "/api/health")
# Time in which calls that run may end after SIGTERM. Kubernetes kills 30 seconds after it. Docker kills after 10, so the container has to be run
# with --stop-timeout 40 or stopped by `docker stop -t 40`.
DRAIN_SECONDS = float(setting("WORKER_DRAIN_SECONDS", "20"))
# Between two looks whether the models are still there.
LOOK_SECONDS = float(setting("WORKER_LOOK_SECONDS", "15"))
SERVER = "http://127.0.0.1:" + setting("OLLAMA_HOST", "0.0.0.0:11434").rpartition(":")[2]

SCHEMA = {
    "type": "object",
    "properties": {"state": {"type": "string", "enum": ["ready"]}, "count": {"type": "integer", "enum": [3]}},
    "required": ["state", "count"],
    "additionalProperties": False,
}
EXPECTED = {"state": "ready", "count": 3}
QUESTION = "Answer with the word no, and nothing else."


class NotReady(Exception):
    """Why the worker is not ready, for people."""


class State:
    """What the health path answers. One thread writes, the threads of requests read."""

    def __init__(self):
        self.lock = threading.Lock()
        self.ready = False
        self.reason = "starting"

    def set(self, ready, reason):
        with self.lock:
            changed = (self.ready, self.reason) != (ready, reason)
            self.ready, self.reason = ready, reason
        if changed:
            print(f"worker: {'ready' if ready else 'not ready'}: {reason}", flush=True)

    def document(self):
        with self.lock:
            return self.ready, {"ready": self.ready, "reason": self.reason}


def ask(path, body=None, seconds=ANSWER_SECONDS):
    """JSON of the server's answer. Raises NotReady for everything that is none."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(SERVER + path, data, {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=seconds) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise NotReady(f"{path} answers {error.code}: {error.read(300).decode(errors='replace')}") from error
    except (OSError, ValueError) as error:
        raise NotReady(f"{path} does not answer: {error}") from error


def picture():
    """A small white PNG."""

    def chunk(kind, data):
        checksum = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + checksum

    head = struct.pack(">IIBBBBB", SIDE_PIXELS, SIDE_PIXELS, 8, 2, 0, 0, 0)
    rows = (b"\0" + b"\xff" * (3 * SIDE_PIXELS)) * SIDE_PIXELS
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return base64.b64encode(png).decode()


def check_digest(model):
    held = {one.get("name"): one.get("digest") for one in ask("/api/tags").get("models", [])}
    found = held.get(model["name"])
    if found is None:
        raise NotReady(f"{model['name']} is not there")
    if found != model["digest"]:
        raise NotReady(f"{model['name']} has digest {found[:12]}, pinned is {model['digest'][:12]}")


def check_generation(model):
    message = {"role": "user", "content": QUESTION}
    if model["seesPictures"]:
        message["images"] = [picture()]
    answer = ask(
        "/api/chat",
        {
            "model": model["name"],
            "messages": [message],
            "stream": False,
            "format": SCHEMA,
            "keep_alive": -1,
            # The window that calls use: with another one the first call would load the model anew.
            "options": {"num_ctx": model["numCtx"], "num_predict": 64, "temperature": 0},
        },
        GENERATION_SECONDS,
    )
    content = answer.get("message", {}).get("content", "")
    if answer.get("done_reason") != "stop":
        raise NotReady(f"{model['name']} was cut off: {answer.get('done_reason')}")
    try:
        said = json.loads(content)
    except ValueError as error:
        raise NotReady(f"{model['name']} answers no JSON: {content[:80]!r}") from error
    if said != EXPECTED:
        raise NotReady(f"{model['name']} does not keep to the schema: {content[:80]!r}")


def check_memory(models):
    loaded = {one.get("name"): one for one in ask("/api/ps").get("models", [])}
    for model in models:
        one = loaded.get(model["name"])
        if one is None:
            raise NotReady(f"{model['name']} is no longer loaded")
        size, on_gpu = one.get("size", 0), one.get("size_vram", 0)
        if on_gpu == 0:
            raise NotReady(f"{model['name']} is on the CPU: no GPU, or a driver that is too old")
        if size == 0 or on_gpu < size:
            raise NotReady(f"{model['name']} is partly on the CPU: {on_gpu} of {size} bytes are in graphics memory. Lower OLLAMA_NUM_PARALLEL")


def look(state, models, stopping):
    """Proves the models, then looks whether they stay; proves them anew after anything was wrong."""
    proved = False
    while not stopping.is_set():
        try:
            if not proved:
                for model in models:
                    check_digest(model)
                    check_generation(model)
            check_memory(models)
            proved = True
            if not stopping.is_set():
                state.set(True, "every model answered in its schema, from graphics memory")
        except Exception as error:
            # A server that breaks off, or answers in another shape, raises many kinds. This thread has to outlive them all: without it the health
            # path would repeat its last word for ever.
            proved = False
            if not stopping.is_set():
                state.set(False, str(error) if isinstance(error, NotReady) else f"unexpected answer: {type(error).__name__}: {error}")
        stopping.wait(LOOK_SECONDS if proved else 1)


def handler_of(state):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            ready, document = state.document()
            if self.path.split("?")[0] != HEALTH_PATH:
                ready, document = None, {"error": f"only {HEALTH_PATH} is here"}
            body = json.dumps(document).encode()
            self.send_response(404 if ready is None else 200 if ready else 503)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            """Platforms ask every few seconds; changes of the state are logged instead."""

    return Handler


def check():
    """Exit code for an engine's health check."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{HEALTH_PORT}{HEALTH_PATH}", timeout=5) as response:
            return 0 if response.status == 200 else 1
    except OSError as error:
        print(error)
        return 1


def run(command):
    """Runs until the server ends or SIGTERM comes. Returns the exit code."""
    models = json.loads(os.environ["WORKER_MODELS"])
    state, stopping = State(), threading.Event()
    health = ThreadingHTTPServer(("", HEALTH_PORT), handler_of(state))
    server = subprocess.Popen(command)

    def end():
        # Not ready at once, so that no new call comes; those that run get time to end.
        state.set(False, "stopping")
        if DRAIN_SECONDS > 0:
            threading.Event().wait(DRAIN_SECONDS)
        server.terminate()

    def stop(_number, _frame):
        if not stopping.is_set():
            stopping.set()
            threading.Thread(target=end, daemon=True).start()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    for target in (health.serve_forever, lambda: look(state, models, stopping)):
        threading.Thread(target=target, daemon=True).start()
    while True:
        try:
            code = server.wait(timeout=1)
            break
        except subprocess.TimeoutExpired:
            continue
    if stopping.is_set():
        return 0
    print(f"worker: the model server ended with {code}", flush=True)
    return code if code > 0 else 1


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(check())
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(run(sys.argv[1:]))
