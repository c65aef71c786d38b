"""
IntelOwl analyzer (version 6): purity, type and network of an IP address, from a limpid service.

Copy this file to api_app/analyzers_manager/observable_analyzers/. It needs no packages beside IntelOwl.
Interface of analyzers: https://github.com/intelowlproject/IntelOwl/blob/develop/api_app/analyzers_manager/classes.py
"""

import http.client
import ipaddress
import json
import queue
import threading
import urllib.error
import urllib.parse
import urllib.request

from api_app.analyzers_manager.classes import ObservableAnalyzer
from api_app.analyzers_manager.exceptions import AnalyzerRunException


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


def analyze(value, url, timeout_seconds):
    """The result of the analyzer. Raises LimpidError."""
    report = ask_limpid(value, url, timeout_seconds)
    if report["flags"]["isBogon"]:
        raise LimpidError("%s is not a public address, so there is no verdict" % report["ip"])
    return {"verdict": judge(report), "flags": list_flags(report), "report": report}


class Limpid(ObservableAnalyzer):
    """IntelOwl sets the parameters of its configuration as attributes of the same names."""

    url: str = DEFAULT_URL
    timeout_seconds: int = DEFAULT_TIMEOUT_SECONDS

    @classmethod
    def update(cls) -> bool:
        return False

    def run(self):
        try:
            return analyze(self.observable_name, self.url, self.timeout_seconds)
        except LimpidError as error:
            raise AnalyzerRunException(str(error)) from None
