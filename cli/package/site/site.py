#!/usr/bin/env python3
"""Makes the site of the manuals: site.py ESPALIER FOLDER [--version NAME] [--try PAGE]

One page of each Markdown file that readers need, of each rule, each node and each public header, of each file that these link to, and a
search over all of it. The pages are static, ask no other site for anything, and can be read without scripts.

A version is a folder in FOLDER, such as 1.0.0, and index.html leads to the newest. What FOLDER has of this version is replaced; pages of other
versions stay, and each page links to itself in the others. FOLDER is made, or must be empty or an earlier site. --try names the page on which
espalier can be tried, which the build for WebAssembly makes (try/make.js of the npm package): it becomes a page of the site.
"""
import argparse
import collections
import html
import json
import os
import pathlib
import posixpath
import re
import shutil
import sys

sys.dont_write_bytecode = True
import generated  # noqa: E402
import markdown  # noqa: E402
import versions  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
OWN = ("site.css", "search.js")
PICTURES = {".svg", ".png"}
NAVIGATION = (("Start", "README.md"), ("How do I ...?", "samples/README.md"), ("Manuals", "README.md#manuals"), ("Rules", "rules/README.md"),
              ("Nodes", "nodes/README.md"), ("C and C++", "reference/README.md"), ("All pages", "all.md"))
KINDS = (("rules/", "rule"), ("nodes/", "node"), ("reference/", "C and C++"), ("samples/how-to/", "how-to"), ("samples/tutorials/", "tutorial"),
         ("samples/start/", "start"), ("samples/", "sample"), ("lib/", "manual"), ("schemas/", "format"), ("", "project"))
CODE_OF_RULE = re.compile(r"\b[A-Z]{3}\d{3}\b")
WORD = re.compile(r"[^\W_][\w-]+")
PAGE = """<!DOCTYPE html>
<html lang="en" data-root="{root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<link rel="stylesheet" href="{root}site.css">
<script src="{root}search.js" defer></script>
</head>
<body>
<a class="skip" href="#content">to the page</a>
<header>
<a class="name" href="{root}index.html">espalier</a>
<nav aria-label="site">{navigation}</nav>
{chooser}
<form id="search" role="search" hidden><input type="search" placeholder="search  ( / )" aria-label="search"></form>
</header>
<section id="found" aria-live="polite" aria-label="what is found"></section>
<main id="content">
{content}</main>
<footer>espalier {version}{source}</footer>
</body>
</html>
"""


def sources():
    """The Markdown files that readers need, by their paths in the project."""
    files = [ROOT / "README.md", *(ROOT / "lib").rglob("README.md"), *(ROOT / "lib").glob("*.md"), *(ROOT / "samples").rglob("*.md"),
             *(ROOT / "schemas").rglob("*.md"), *(ROOT / "tests").glob("*.md"), ROOT / "tests/bench/notes.md", *(ROOT / "cli/package").glob("*/README.md"),
             *(ROOT / ".github").glob("*.md")]
    return {path.relative_to(ROOT).as_posix(): path.read_text() for path in files if "node_modules" not in path.parts}


def url_of(path):
    """Where a file or folder of the project is in the site."""
    path = re.sub(r"^\.github/", "contributing/", path)
    if path.endswith("README.md"):
        return path[:-len("README.md")] + "index.html"
    if path.endswith(".md"):
        return path[:-3] + ".html"
    return path if pathlib.PurePosixPath(path).suffix in PICTURES else path + ".html"


def version_of_project():
    return re.search(r"project\(espalier VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def kind_of(path):
    return next(kind for start, kind in KINDS if path.startswith(start))


class Site:
    def __init__(self, espalier, folder, version, try_page=None):
        self.folder = folder
        self.version = version
        self.try_page = try_page
        self.navigation = NAVIGATION + ((("Try it", "try.md"),) if try_page else ())
        self.pages = sources() | generated.pages(ROOT, espalier)
        self.rules = {path[6:-3] for path in self.pages if path.startswith("rules/") and not path.endswith("README.md")}
        self.files = collections.deque()  # of the project, which pages link to: still to be written
        self.known = set()
        self.declared = {}  # by address: name and kind
        self.index = []

    def write(self, url, text):
        path = self.folder / url
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def page(self, url, title, content, source=""):
        root = "../" * url.count("/")
        navigation = " ".join(f'<a href="{root}{url_of(target.split("#")[0])}{"#" + target.split("#")[1] if "#" in target else ""}">{html.escape(name)}</a>'
                              for name, target in self.navigation)
        where = f" · from <code>{html.escape(source)}</code>" if source else ""
        shown = html.escape(title if title == "espalier" else f"{title} - espalier")
        self.write(url, PAGE.format(root=root, title=shown, navigation=navigation, chooser=versions.CHOOSER, content=content,
                                    version=html.escape(self.version), source=where))

    def target(self, path, link):
        """Where a link of the page at this path leads."""
        if re.match(r"\w+:", link):
            return link
        file, _, fragment = link.partition("#")
        fragment = f"#{fragment}" if fragment else ""
        if not file:
            return fragment
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), file))
        if f"{target}/README.md" in self.pages:
            target += "/README.md"
        elif (ROOT / target).is_dir():
            self.ask_for(target)
            return self.relative(path, f"{target}/index.html") + fragment
        elif target not in self.pages:
            self.ask_for(target)
        return self.relative(path, url_of(target)) + fragment

    @staticmethod
    def relative(path, url):
        return posixpath.relpath(url, posixpath.dirname(url_of(path)) or ".")

    def ask_for(self, target):
        if target not in self.known:
            self.known.add(target)
            self.files.append(target)

    def code(self, path, text, language):
        """The HTML of a block: commands stand out, and codes of rules lead to their pages."""
        shown = html.escape(text, quote=False)
        if language == "console":
            shown = re.sub(r"^(\$ (?:.*\\\n)*.*)$", r'<span class="command">\1</span>', shown, flags=re.MULTILINE)
        link = lambda m: f'<a href="{self.relative(path, f"rules/{m[0]}.html")}">{m[0]}</a>' if m[0] in self.rules else m[0]
        if path.startswith("reference/") and language == "cpp":
            return self.declarations(path, shown)
        return CODE_OF_RULE.sub(link, shown) if language in ("console", "text", "") else shown

    def declarations(self, path, shown):
        """The code with a fragment for each name that it declares for the first time on its page, which the search then finds."""
        for name, kind in generated.declared(html.unescape(shown)):
            place = f"{url_of(path)}#{name}"
            if place in self.declared:
                continue
            self.declared[place] = (name, kind)
            shown = re.sub(rf"(?<![\w>\"]){name}(?!\w)", f'<span id="{name}">{name}</span>', shown, count=1)
        return shown

    def write_pages(self):
        for path, text in sorted(self.pages.items()):
            renderer = markdown.Renderer(lambda link, path=path: self.target(path, link), lambda text, language, path=path: self.code(path, text, language))
            content = renderer.render(text)
            title = renderer.headings[0][1] if renderer.headings else path
            self.page(url_of(path), title, content, path if (ROOT / path).exists() else "")
            words = sorted({word.lower() for word in WORD.findall(html.unescape(re.sub(r"<[^>]+>", " ", content)))})
            self.index.append((url_of(path), title, kind_of(path), " ".join(words)))
        self.index += [(place, name, f"{kind} of {posixpath.basename(place.split('#')[0]).removesuffix('.html')}", name.lower())
                       for place, (name, kind) in self.declared.items()]

    def write_files(self):
        """What pages link to: pictures as they are, folders as lists, and texts with numbered lines."""
        while self.files:
            path = self.files.popleft()
            source = ROOT / path
            if source.is_dir():
                entries = sorted(entry for entry in source.iterdir() if entry.name not in ("node_modules", "__pycache__"))
                items = "".join(f'<li><a href="{html.escape(self.target(path + "/x", entry.name))}">{html.escape(entry.name)}</a></li>\n' for entry in entries)
                self.page(f"{path}/index.html", path, f"<h1>{html.escape(path)}</h1>\n<ul>\n{items}</ul>\n")
                continue
            if source.suffix in PICTURES:
                (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, self.folder / path)
                continue
            try:
                lines = source.read_text().rstrip("\n").split("\n")
            except UnicodeDecodeError:
                lines = [f"(not a text: {source.stat().st_size} bytes)"]
            text = "\n".join(f'<span id="L{number}">{html.escape(line, quote=False)}</span>' for number, line in enumerate(lines, 1))
            self.page(url_of(path), path, f'<h1>{html.escape(path)}</h1>\n<pre tabindex="0"><code>{text}</code></pre>\n', path)

    def write_lists(self):
        groups = collections.defaultdict(list)
        for url, title, kind, _ in self.index:
            if "#" in url:
                kind = "C and C++: names"
            groups[kind].append(f'<li><a href="{html.escape(url)}">{html.escape(title)}</a></li>\n')
        content = "<h1>All pages</h1>\n" + "".join(f"<h2>{html.escape(kind)}</h2>\n<ul>\n{''.join(items)}</ul>\n" for kind, items in groups.items())
        self.page("all.html", "All pages", content)
        self.write("search-index.js", "window.PAGES = " + json.dumps(self.index, ensure_ascii=False, separators=(",", ":")) + ";\n")
        for name in OWN:
            shutil.copy(HERE / name, self.folder)
        if self.try_page:
            shutil.copy(self.try_page, self.folder / url_of("try.md"))

    def make(self):
        self.write_pages()
        self.write_files()
        self.write_lists()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("espalier", metavar="ESPALIER")
    parser.add_argument("folder", metavar="FOLDER", type=pathlib.Path)
    parser.add_argument("--version", metavar="NAME", default=version_of_project())
    parser.add_argument("--try", metavar="PAGE", dest="try_page")
    options = parser.parse_args()
    if fault := versions.fault_of(options.folder, options.version):
        sys.exit(fault)
    folder = options.folder / options.version
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    site = Site(os.path.abspath(options.espalier), folder, options.version, options.try_page)
    site.make()
    versions.connect(options.folder)
    pages = sum(1 for url, *_ in site.index if "#" not in url)
    print(f"{pages} pages, and {len(site.known)} files that they link to: {folder / 'index.html'}")


main()
