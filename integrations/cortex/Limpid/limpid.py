#!/usr/bin/env python3
"""
Cortex analyzer: purity, type and network of an IP address, from a limpid service.

It needs the standard library only, and does what cortexutils does for its analyzers: it reads input/input.json of the
job folder (first argument, or /job), or standard input without such a file; it checks TLP and PAP; it writes
output/output.json, or standard output.
Input and output: https://docs.strangebee.com/cortex/operations/input-output
The same in cortexutils: https://github.com/TheHive-Project/cortexutils/blob/master/cortexutils/worker.py
"""

import http.client
import ipaddress
import json
import os
import queue
import select
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request

NAMESPACE = "limpid"
STDIN_TIMEOUT_SECONDS = 3
MOST_INPUT_BYTES = 4 * 1024 * 1024


class JobError(Exception):
    """The job cannot be done: the text says why."""


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else "/job"
    if not os.path.isfile(os.path.join(folder, "input", "input.json")):
        folder = None
    try:
        output = run(read_job(folder))
    except (JobError, LimpidError) as error:
        output = {"success": False, "errorMessage": str(error)}
    write_output(folder, output)
    return 0 if output["success"] else 1


def read_job(folder):
    try:
        if folder is not None:
            with open(os.path.join(folder, "input", "input.json"), "rb") as file:
                job = json.loads(file.read(MOST_INPUT_BYTES))
        elif select.select([sys.stdin], [], [], STDIN_TIMEOUT_SECONDS)[0]:
            job = json.loads(sys.stdin.buffer.read(MOST_INPUT_BYTES))
        else:
            job = None
    except (OSError, ValueError, RecursionError):
        job = None
    if not isinstance(job, dict):
        raise JobError("there is no job: neither input/input.json nor standard input has a JSON object")
    return job


def run(job):
    config = job.get("config")
    config = config if isinstance(config, dict) else {}
    check_marking(job, config, "tlp")
    check_marking(job, config, "pap")
    if job.get("dataType") != "ip":
        raise JobError("this analyzer takes the data type ip, not %s" % clean_text(job.get("dataType"), 40))
    set_proxies(config.get("proxy"))
    report = ask_limpid(job.get("data"), config.get("url"), config.get("timeout_seconds"))
    if report["flags"]["isBogon"]:
        raise JobError("%s is not a public address, so there is no verdict" % report["ip"])
    verdict = judge(report)
    return {
        "success": True,
        "summary": {"taxonomies": list_taxonomies(report, verdict)},
        "artifacts": [],
        "operations": [],
        "full": {"verdict": verdict, "report": report},
    }


def check_marking(job, config, name):
    """Refuses an observable whose TLP or PAP is above the highest one that the configuration allows."""
    # Amber where nothing is said, as in cortexutils.
    level, highest = job.get(name, 2), config.get("max_" + name, 2)
    if type(level) is not int or type(highest) is not int:
        raise JobError("%s is not a number" % name.upper())
    if config.get("check_" + name) is True and level > highest:
        raise JobError("%s is higher than allowed" % name.upper())


def set_proxies(proxies):
    for scheme in ("http", "https"):
        url = proxies.get(scheme) if isinstance(proxies, dict) else None
        if isinstance(url, str) and url != "":
            os.environ[scheme + "_proxy"] = url


def list_taxonomies(report, verdict):
    risk = report["risk"]
    # Blue in TheHive. Green ("safe") is never used.
    level = "info" if verdict == "unknown" else verdict
    purity = "unknown" if verdict == "unknown" else "%d/100" % risk["purity"]
    taxonomies = [
        make_taxonomy(level, "purity", purity),
        make_taxonomy("info", "type", report["usageType"]),
        make_taxonomy("info", "confidence", risk["confidence"]),
    ]
    flags = list_flags(report)
    return taxonomies + ([make_taxonomy("info", "flags", ", ".join(flags))] if flags else [])


def make_taxonomy(level, predicate, value):
    return {"level": level, "namespace": NAMESPACE, "predicate": predicate, "value": value}


def write_output(folder, output):
    if folder is None:
        json.dump(output, sys.stdout)
        return
    os.makedirs(os.path.join(folder, "output"), exist_ok=True)
    with open(os.path.join(folder, "output", "output.json"), "w", encoding="utf-8") as file:
        json.dump(output, file)


# --- The same in all scripts below integrations/: asking limpid and reading its answer ---

DEFAULT_URL = "http://127.0.0.1:8080"
DEFAULT_TIMEOUT_SECONDS = 15
FIELDS = "risk,flags,usageType,nativeType,geo,asn,stale,reportUrl"
MOST_BYTES = 256 * 1024
LEVELS = ("pristine", "clean", "neutral", "suspicious", "risky", "dangerous")
CONFIDENCES = ("low", "medium", "high")
USAGE_TYPES = ("residential", "business", "hosting", "mobile", "education", "government", "unknown")
FLAG_WORDS = {
    "isProxy": "proxy",
    "isVpn": "vpn",
    "isTor": "tor",
    "isRelay": "relay",
    "isHosting": "hosting",
    "isSearchEngineBot": "crawler",
}


class LimpidError(Exception):
    """There is no report: the text says why. It never means that an address is clean."""


class RefuseRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, req, fp, code, msg, headers, newurl):
        return None


def ask_limpid(value, base_url=DEFAULT_URL, timeout_seconds=DEFAULT_TIMEOUT_SECONDS):
    """Returns the report of limpid on one address, as the fields in FIELDS. Raises LimpidError."""
    address = read_address(value)
    base = str(base_url or DEFAULT_URL).rstrip("/")
    if urllib.parse.urlsplit(base).scheme not in ("http", "https"):
        raise LimpidError("the URL of limpid does not start with http:// or https://")
    try:
        seconds = min(max(float(timeout_seconds or DEFAULT_TIMEOUT_SECONDS), 1.0), 120.0)
    except (TypeError, ValueError):
        raise LimpidError("the timeout is not a number of seconds") from None
    query = urllib.parse.urlencode({"ip": str(address), "lang": "en", "fields": FIELDS})
    request = urllib.request.Request(
        base + "/api/lookup?" + query,
        headers={"Accept": "application/json", "User-Agent": "limpid-integrations"},
    )
    # The timeout of a connection starts anew with each byte, so a thread of its own does the waiting.
    answers = queue.SimpleQueue()
    threading.Thread(target=fetch, args=(request, seconds, answers), daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except queue.Empty:
        raise LimpidError("limpid did not answer within %g seconds" % seconds) from None
    if isinstance(answer, LimpidError):
        raise answer
    return check_report(parse_object(answer), address)


def fetch(request, seconds, answers):
    """Puts the body of the answer, or a LimpidError."""
    opener = urllib.request.build_opener(RefuseRedirects)
    try:
        with opener.open(request, timeout=seconds) as response:
            if response.status != 200:
                raise LimpidError("limpid answered with status %d" % response.status)
            answers.put(read_body(response))
    except LimpidError as error:
        answers.put(error)
    except urllib.error.HTTPError as error:
        with error:
            answers.put(LimpidError(describe_refusal(error)))
    except (OSError, http.client.HTTPException, ValueError) as error:
        answers.put(LimpidError("limpid does not answer: " + clean_text(error)))


def read_address(value):
    text = str(value).strip()
    try:
        # A zone, as in fe80::1%eth0, means something on one machine only.
        address = ipaddress.ip_address("" if "%" in text else text)
    except ValueError:
        raise LimpidError("not an IP address: " + clean_text(text)) from None
    return getattr(address, "ipv4_mapped", None) or address


def read_body(response):
    body = response.read(MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        raise LimpidError("the answer of limpid is longer than %d bytes" % MOST_BYTES)
    return body


def parse_object(body):
    try:
        parsed = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, dict):
        raise LimpidError("the answer is not a JSON object, so it is not from limpid")
    return parsed


def describe_refusal(error):
    try:
        problem = parse_object(read_body(error))
    except (LimpidError, OSError, http.client.HTTPException):
        problem = {}
    parts = ["limpid refused with status %d" % error.code]
    if isinstance(problem.get("code"), str):
        parts.append(clean_text(problem["code"]))
    if isinstance(problem.get("error"), str):
        parts.append(clean_text(problem["error"]))
    if (error.headers.get("Retry-After") or "").isdigit():
        parts.append("retry after %s seconds" % error.headers["Retry-After"][:9])
    return ": ".join(parts)


def clean_text(value, most=200):
    """Text of others in one line, without control characters."""
    return "".join(char if char.isprintable() else " " for char in str(value)[:most]).strip()


def check_report(report, address):
    """Refuses an answer that is not a report on this address."""
    risk, flags = report.get("risk"), report.get("flags")
    purity = risk.get("purity") if isinstance(risk, dict) else None
    try:
        is_same = read_address(report.get("ip")) == address
    except LimpidError:
        is_same = False
    if (
        not is_same
        or type(purity) is not int
        or not 0 <= purity <= 100
        or risk.get("level") not in LEVELS
        or risk.get("confidence") not in CONFIDENCES
        or report.get("usageType") not in USAGE_TYPES
        or not isinstance(flags, dict)
        or not all(isinstance(flags.get(flag), bool) for flag in (*FLAG_WORDS, "isBogon"))
    ):
        raise LimpidError("the answer is not a report on %s" % address)
    return report


def judge(report):
    """
    "malicious" or "suspicious" for an address with accusations; "unknown" where limpid has too little evidence or the
    address is not public; otherwise "info". There is no "safe": no accusation is not a proof of anything.
    """
    if report["flags"]["isBogon"]:
        return "unknown"
    level = report["risk"]["level"]
    if level == "dangerous":
        return "malicious"
    if level in ("suspicious", "risky"):
        return "suspicious"
    return "unknown" if report["risk"]["confidence"] == "low" else "info"


def list_flags(report):
    return [word for flag, word in FLAG_WORDS.items() if report["flags"][flag]]


# --- End of the same part ---


if __name__ == "__main__":
    sys.exit(main())
