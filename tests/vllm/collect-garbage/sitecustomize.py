"""Python imports this file at each start where its folder is in PYTHONPATH.

vLLM 0.32 ends a request whose caller hung up once Python's garbage collector comes to its generator. With nothing else to do, that is after the
answer: 5 of 12 hang-ups were missed, and 0 of 50 with this file. https://github.com/vllm-project/vllm/issues/54947
"""

import gc
import threading
import time

INTERVAL_SEC = 2


def collect() -> None:
    while True:
        time.sleep(INTERVAL_SEC)
        gc.collect()


threading.Thread(target=collect, daemon=True).start()
