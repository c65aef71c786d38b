"""
MISP expansion and hover module: purity, type and network of an IP address, from a limpid service.

Copy this file alone. It needs the standard library only. README.md in the folder above describes the installation.
Interface of modules: https://github.com/MISP/misp-modules/blob/main/documentation/mkdocs/contribute.md
Types and categories of attributes: https://github.com/MISP/PyMISP/blob/main/pymisp/data/describeTypes.json
"""

import http.client
import ipaddress
import json
import queue
import threading
import urllib.error
import urllib.parse
import urllib.request

mispattributes = {
    "input": ["ip-src", "ip-dst", "ip-src|port", "ip-dst|port"],
    "output": ["text", "AS", "link"],
    "format": "misp_standard",
}
moduleinfo = {
    "version": "1.0",
    "author": "limpid",
    "description": "Purity, type, flags and network of an IP address, from a limpid service.",
    "module-type": ["expansion", "hover"],
    "name": "limpid lookup",
    "logo": "",
    "requirements": ["A limpid service that this machine reaches"],
    "features": "Asks /api/lookup once for each attribute. Where limpid has too little evidence, the summary says unknown.",
    "references": [],
    "input": "An IP address.",
    "output": "A summary, the AS number, and the link of the report.",
}
moduleconfig = ["url", "timeout_seconds"]


def handler(q=False):
    if q is False:
        return False
    try:
        request = json.loads(q)
        attribute = request["attribute"]
        kind, value = attribute["type"], attribute["value"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return {"error": 'This module requires an "attribute" field with a type and a value.'}
    if kind not in mispattributes["input"] or not isinstance(value, str):
        return {"error": "Unsupported attribute type."}
    config = request.get("config")
    config = config if isinstance(config, dict) else {}
    try:
        address = value.split("|")[0] if "|" in kind else value
        report = ask_limpid(address, config.get("url"), config.get("timeout_seconds"))
    except LimpidError as error:
        return {"error": "limpid: %s" % error}
    if report["flags"]["isBogon"]:
        return {"error": "limpid: %s is not a public address, so there is no verdict." % report["ip"]}
    return {"results": {"Attribute": list_attributes(report)}}


def list_attributes(report):
    attributes = [make_attribute("text", "Other", describe(report))]
    asn = report.get("asn")
    number = asn.get("asn") if isinstance(asn, dict) else None
    if type(number) is int and 0 < number < 2**32:
        attributes.append(make_attribute("AS", "Network activity", "AS%d" % number))
    url = report.get("reportUrl")
    if isinstance(url, str) and url.startswith(("http://", "https://")):
        attributes.append(make_attribute("link", "External analysis", clean_text(url, 2048)))
    for attribute in attributes:
        attribute["comment"] = "limpid on %s, data of %s" % (report["ip"], clean_text(report.get("queriedAt"), 30))
    return attributes


def describe(report):
    risk, verdict = report["risk"], judge(report)
    flags = ", ".join(list_flags(report)) or "none reported"
    details = "%s, flags: %s, confidence %s" % (report["usageType"], flags, risk["confidence"])
    if verdict == "unknown":
        return "limpid: unknown, because too little evidence was heard; %s" % details
    return "limpid: %s, purity %d of 100 (%s), %s" % (verdict, risk["purity"], risk["level"], details)


def make_attribute(kind, category, value):
    # An opinion about an address is not an indicator, and equal opinions about two addresses connect nothing.
    return {"type": kind, "category": category, "value": value, "to_ids": False, "disable_correlation": kind != "AS"}


def introspection():
    return mispattributes


def version():
    moduleinfo["config"] = moduleconfig
    return moduleinfo


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
