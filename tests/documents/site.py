#!/usr/bin/env python3
"""Makes the site of the manuals and checks it: site.py ESPALIER

Every link leads to a page and a fragment of it; nothing is asked of other sites; tags are closed, pictures have texts, levels of headings are
not skipped. Each rule and each element that the program knows has a page, where findings link to it, and the search knows each page and each name
of the headers. Versions stand side by side. The search itself and what a browser makes of the pages are tried by tests/pages/site.py.
"""
import concurrent.futures
import html.parser
import json
import os
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
import versions  # noqa: E402
VOID = {"meta", "link", "img", "input", "br", "hr"}
DIALECTS = ("selection", "modular", "dragengine", "decider", "synchronized", "btcpp")
# Sections that no node is, and nodes that the engine does not run.
WITHOUT_EXAMPLE = {f"nodes/{name}.html" for name in (
    "index", "selection/Sequence", "modular/Events", "modular/Event", "modular/GameEvents", "modular/MetaExtensions",
    "modular/Attributes-of-every-node", "btcpp/Attributes-of-every-node")}
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


def broken_links(pages, files, site):
    for page in pages.values():
        for link in page.links:
            if re.match(r"\w+:", link):
                continue
            address, _, fragment = link.partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(page.url), urllib.parse.unquote(address))) if address else page.url
            if target not in files and not (site / target).is_file():
                yield f"{page.url}: the link {link} leads nowhere"
            elif fragment and target in pages and urllib.parse.unquote(fragment) not in pages[target].ids:
                yield f"{page.url}: {target} has no {fragment}"


def missing_pages(espalier, files, texts):
    """What the program knows and the site does not."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "espalier.json").write_text('{"site": "https://example.org/1.0.0"}')
        found = subprocess.run([espalier, "explain", "--format", "json", "--config", f"{folder}/espalier.json"], check=True, capture_output=True).stdout
    linked = {rule["url"].removeprefix("https://example.org/1.0.0/"): rule["code"] for rule in json.loads(found)["rules"]}
    for url in sorted(linked.keys() ^ {file for file in files if file.startswith("rules/") and file != "rules/index.html"}):
        yield f"{url}: {'findings link to it, and it is not there' if url in linked else 'no rule links to this page'}"
    for url, code in linked.items():
        if 'id="bad"' not in texts.get(url, "") and any((ROOT / "lib/rules").glob(f"{code}-*/bad")):
            yield f"{url} does not explain {code}"
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


def undeclared_names(texts):
    """Functions and types of the public headers that the reference does not have."""
    for header in sorted((ROOT / "lib/runtime/include/espalier").iterdir()):
        code = re.sub(r"/\*.*?\*/|//[^\n]*|^namespace internal \{.*?^\}  // namespace internal", "", header.read_text(), flags=re.DOTALL | re.MULTILINE)
        names = set(re.findall(r"^(?!.*\breturn\b)[a-z].*\b(espalier_\w+)\(", code, re.MULTILINE)) | set(re.findall(r"^} (espalier_\w+);", code, re.MULTILINE))
        if header.suffix == ".hpp":
            names = set(re.findall(r"^(?:\[\[nodiscard\]\] )?inline (?!constexpr)[^(]*?(\w+)\(", code, re.MULTILINE))
        for name in sorted(names):
            if f'id="{name}"' not in texts[f"reference/{header.name}.html"] and "internal" not in name:
                yield f"reference/{header.name}.html does not have {name}"


def address_built_in():
    """The address that ESPALIER_SITE builds in counts where the project has none, with a '/' at its end and without."""
    with tempfile.TemporaryDirectory() as folder:
        main = pathlib.Path(folder, "main.cpp")
        main.write_text('#include <cstdio>\n#include "rules/pages.h"\nint main() {\n'
                        '  using espalier::rules::page_of;\n  std::puts((page_of("XML001", "") + " " + page_of("XML001", "http://b/")).c_str());\n}\n')
        for built_in, expected in (("", " http://b/rules/XML001.html"), ("https://a/1", "https://a/1/rules/XML001.html http://b/rules/XML001.html")):
            subprocess.run([*os.environ.get("CXX", "c++").split(), "-std=c++20", "-I", ROOT / "lib", f'-DESPALIER_SITE="{built_in}"', main,
                            ROOT / "lib/rules/pages.cpp", "-o", f"{folder}/main"], check=True)
            said = subprocess.run([f"{folder}/main"], check=True, capture_output=True, text=True).stdout
            if said != expected + "\n":
                yield f"with ESPALIER_SITE '{built_in}', pages of rules are at {said}"


OLDER = {"index.html": "../1.0.0/index.html", "rules/BTC033.html": "../../1.0.0/rules/BTC033.html", "gone.html": "../1.0.0/index.html"}


def write_older(folder):
    """A version of a few pages, as an earlier run has made it."""
    for url in OLDER:
        (folder / url).parent.mkdir(parents=True, exist_ok=True)
        (folder / url).write_text('<html><body><details class="versions"></details></body></html>')
    (folder / "site.css").write_text("")


def not_side_by_side(folder, made):
    """Pages link to themselves in the other version, where that has them; what was there stays, and a folder that is no site is refused."""
    for url, target in OLDER.items():
        if f'href="{target.replace("1.0.0", made.name)}"' not in (folder / "0.9" / url).read_text():
            yield f"0.9/{url} does not link to {target}"
    for url, target in (("rules/BTC033.html", "../../0.9/rules/BTC033.html"), ("rules/BTC034.html", "../../0.9/index.html"), ("all.html", "../0.9/index.html")):
        if f'href="{target}"' not in (made / url).read_text():
            yield f"{made.name}/{url} does not link to {target}"
    if f"url={made.name}/index.html" not in (folder / "index.html").read_text():
        yield "index.html does not lead to the newest version"
    if versions.found(folder) != [made.name, "0.9"]:
        yield f"the versions are in the order {versions.found(folder)}"
    (folder / "notes.txt").write_text("mine")
    if "notes.txt" not in versions.fault_of(folder, "2.0") or not versions.fault_of(folder / "new", "../2.0"):
        yield "a folder with other files, or a version outside of it, is not refused"


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
    urls = {entry[0].split("#")[0] for entry in known}
    for entry in known:
        page, _, fragment = entry[0].partition("#")
        if fragment and fragment not in pages[page].ids:
            yield f"the search leads to {entry[0]}, which is not there"
    for url in urls - set(pages):
        yield f"the search leads to {url}, which is not there"
    for url, word in (("rules/BTC033.html", "unknown-port"), ("nodes/btcpp/RetryUntilSuccessful.html", "num_attempts"),
                      ("samples/how-to/why-skipped.html", "skipped"), ("reference/espalier.h.html", "espalier_update"), ("reference/espalier.h.html#espalier_update", "espalier_update"),
                      ("reference/ports.hpp.html#port", "port")):
        if not any(entry[0] == url and word in entry[3].split() for entry in known):
            yield f"the search does not find {url} by '{word}'"


def main():
    espalier = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        whole = pathlib.Path(folder, "site")
        write_older(whole / "0.9")
        try_page = pathlib.Path(folder, "made.html")  # stands in for that of the build for WebAssembly
        try_page.write_text("<html><body><h1>Try it</h1></body></html>")
        made = subprocess.run([sys.executable, ROOT / "cli/package/site/site.py", espalier, whole, "--try", try_page], capture_output=True, text=True)
        if made.returncode != 0:
            sys.exit(f"the site cannot be made:\n{made.stdout}{made.stderr}")
        [site] = [entry for entry in whole.iterdir() if entry.is_dir() and entry.name != "0.9"]
        files = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
        texts = {url: (site / url).read_text() for url in sorted(files) if url.endswith(".html")}
        pages = {url: Page(url, text) for url, text in texts.items()}
        faults = [fault for page in pages.values() for fault in page.faults]
        faults += list(broken_links(pages, files, site)) + list(missing_pages(espalier, files, texts)) + list(failed_examples(espalier)) + list(not_found(site, pages))
        faults += [*undeclared_names(texts), *address_built_in(), *not_side_by_side(whole, site)]
        faults += [f"{name}: asks another site" for name in ("site.css", "search.js") if re.search(r"https?://|url\(", (site / name).read_text())]
    links = sum(len(page.links) for page in pages.values())
    print("\n".join(faults[:MOST_FAULTS] + ([f"... {len(faults)} faults"] if len(faults) > MOST_FAULTS else []) +
                    [f"{len(pages)} pages and {links} links of the site compared"]))
    sys.exit(bool(faults) or links == 0)


main()
