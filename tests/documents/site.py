#!/usr/bin/env python3
"""Makes the site of the manuals and checks it: site.py ESPALIER

Every link leads to a page and a fragment of it; nothing is asked of other sites; tags are closed, pictures have texts, levels of headings are
not skipped. Each rule and each element that the program knows has a page, and the search knows each page. The search itself and what a
browser makes of the pages are tried by tests/pages/site.py.
"""
import concurrent.futures
import html.parser
import json
import pathlib
import posixpath
import re
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "cli/package/site"))
import generated  # noqa: E402
VOID = {"meta", "link", "img", "input", "br", "hr"}
DIALECTS = ("selection", "modular", "dragengine", "decider", "synchronized", "btcpp")
# Sections that no node is, nodes that the engine does not run, and the larger ones of a row.
WITHOUT_EXAMPLE = {f"nodes/{name}.html" for name in (
    "index", "selection/Sequence", "modular/Events", "modular/Event", "modular/GameEvents", "modular/MetaExtensions",
    "modular/Attributes-of-every-node", "btcpp/Attributes-of-every-node", "btcpp/inout_port", "btcpp/Switch4", "btcpp/Switch5", "btcpp/Switch6",
    "btcpp/LoopBool")}
MOST_FAULTS = 20  # that are shown


class Page(html.parser.HTMLParser):
    def __init__(self, url, text):
        super().__init__()
        self.url, self.faults, self.links, self.ids, self.open, self.level = url, [], [], set(), [], 0
        self.feed(text)
        if self.open:
            self.faults.append(f"{url}: not closed: {', '.join(self.open)}")

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in values:
            if values["id"] in self.ids:
                self.faults.append(f"{self.url}: the id '{values['id']}' is there twice")
            self.ids.add(values["id"])
        if tag == "img" and not values.get("alt"):
            self.faults.append(f"{self.url}: a picture without a text")
        if tag == "a":
            self.links.append(values["href"])
        elif tag in ("link", "script", "img", "iframe", "video", "source"):
            address = values.get("href") or values.get("src") or ""
            self.links.append(address)
            if re.match(r"\w+:|//", address):
                self.faults.append(f"{self.url}: asks another site: {address}")
        if "style" in values or any(name.startswith("on") for name in values):
            self.faults.append(f"{self.url}: a style or a script in a tag")
        if re.fullmatch(r"h[1-6]", tag):
            if int(tag[1]) > self.level + 1:
                self.faults.append(f"{self.url}: a {tag} below level {self.level}")
            self.level = int(tag[1])

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"{self.url}: </{tag}> closes something else")


def broken_links(pages, files):
    for page in pages.values():
        for link in page.links:
            if re.match(r"\w+:", link):
                continue
            address, _, fragment = link.partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(page.url), urllib.parse.unquote(address))) if address else page.url
            if target not in files:
                yield f"{page.url}: the link {link} leads nowhere"
            elif fragment and target in pages and urllib.parse.unquote(fragment) not in pages[target].ids:
                yield f"{page.url}: {target} has no {fragment}"


def missing_pages(espalier, files, texts):
    """What the program knows and the site does not."""
    for code in re.findall(r"^([A-Z]{3}\d{3}) ", subprocess.run([espalier, "explain"], check=True, capture_output=True, text=True).stdout, re.MULTILINE):
        page = texts.get(f"rules/{code}.html", "")
        if 'id="bad"' not in page and any((ROOT / "lib/rules").glob(f"{code}-*/bad")):
            yield f"rules/{code}.html does not explain {code}"
    lower = {url.lower() for url in files}
    if len(lower) < len(files):
        yield "names of files differ only in case"
    for dialect in DIALECTS:
        tables = subprocess.run([espalier, "schema", dialect, str(ROOT / "tests"), "--format", "markdown"], check=True, capture_output=True, text=True).stdout
        for name in re.findall(r"^### `(.*)`$", tables, re.MULTILINE):
            if f"nodes/{dialect}/{name}.html".lower() not in lower:
                yield f"nodes/{dialect}/{name}.html is missing"
    for url, text in texts.items():
        if url.startswith("nodes/") and 'id="example"' not in text and url not in WITHOUT_EXAMPLE:
            yield f"{url} has no example"


def failed_examples(espalier):
    """Examples that are made, and not conformance cases."""
    def fault(name, files):
        with tempfile.TemporaryDirectory() as folder:
            for file, text in files.items():
                pathlib.Path(folder, file).write_text(text)
            done = subprocess.run([espalier, "replay", "--strict", folder, "--trace", folder], capture_output=True, text=True)
            return f"the example of {name}:\n{done.stdout}{done.stderr}" if done.returncode != 0 else ""

    with concurrent.futures.ThreadPoolExecutor() as threads:
        yield from filter(None, threads.map(lambda item: fault(*item), generated.examples_of(ROOT, espalier).items()))


def not_found(site, pages):
    """Pages that the search does not know, and words that it should."""
    known = json.loads((site / "search-index.js").read_text().split("=", 1)[1].rstrip().rstrip(";"))
    urls = {entry[0] for entry in known}
    for url in urls - set(pages):
        yield f"the search leads to {url}, which is not there"
    for url, word in (("rules/BTC033.html", "unknown-port"), ("nodes/btcpp/RetryUntilSuccessful.html", "num_attempts"),
                      ("samples/how-to/why-skipped.html", "skipped"), ("reference/espalier.h.html", "espalier_update")):
        if not any(entry[0] == url and word in entry[3].split() for entry in known):
            yield f"the search does not find {url} by '{word}'"


def main():
    espalier = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder, "site")
        try_page = pathlib.Path(folder, "made.html")  # stands in for that of the build for WebAssembly
        try_page.write_text("<html><body><h1>Try it</h1></body></html>")
        made = subprocess.run([sys.executable, ROOT / "cli/package/site/site.py", espalier, site, try_page], capture_output=True, text=True)
        if made.returncode != 0:
            sys.exit(f"the site cannot be made:\n{made.stdout}{made.stderr}")
        files = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
        texts = {url: (site / url).read_text() for url in sorted(files) if url.endswith(".html")}
        pages = {url: Page(url, text) for url, text in texts.items()}
        faults = [fault for page in pages.values() for fault in page.faults]
        faults += list(broken_links(pages, files)) + list(missing_pages(espalier, files, texts)) + list(failed_examples(espalier)) + list(not_found(site, pages))
        faults += [f"{name}: asks another site" for name in ("site.css", "search.js") if re.search(r"https?://|url\(", (site / name).read_text())]
    links = sum(len(page.links) for page in pages.values())
    print("\n".join(faults[:MOST_FAULTS] + ([f"... {len(faults)} faults"] if len(faults) > MOST_FAULTS else []) +
                    [f"{len(pages)} pages and {links} links of the site compared"]))
    sys.exit(bool(faults) or links == 0)


main()
