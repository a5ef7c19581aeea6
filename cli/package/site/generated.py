"""Pages that are made from other sources, as Markdown, by their paths: one of each rule, of each node, and of each header of the runtime."""
import collections
import contextlib
import json
import pathlib
import re
import subprocess
import tempfile

import made_examples

DIALECTS = {"selection": "Selection trees", "modular": "Modular trees", "dragengine": "Trees of the Drag[en]gine", "decider": "Decider trees",
            "synchronized": "Synchronized trees", "btcpp": "Trees of BehaviorTree.CPP"}
# What the rules of each prefix are about, and its manual.
PREFIXES = {"SEL": ("Selection trees", "lib/dialects/selection"), "MBT": ("Modular trees", "lib/dialects/modular"),
            "DRA": ("Trees of the Drag[en]gine", "lib/dialects/dragengine"), "DEC": ("Decider trees", "lib/dialects/decider"),
            "SYN": ("Synchronized trees", "lib/dialects/synchronized"), "BTC": ("Trees of BehaviorTree.CPP", "lib/dialects/btcpp"),
            "TRC": ("Traces", "lib/replay"), "LOG": ("Logs", "lib/live"), "XML": ("XML", "lib/project"), "CFG": ("espalier.json", "lib/project"),
            "AST": ("Assets", "lib/project"), "RUN": ("Commands", "lib/project")}
FIXES = {"none": "no fix", "safe": "a safe fix", "unsafe": "an unsafe fix"}
RULE = re.compile(r'^RULE\((\w+),\s*(\d+),\s*(\w+),\s*(\w+),\s*(\w+),\s*(\w+),\s*"([^"]*)",\s*"((?:[^"\\]|\\.)*)"\)', re.MULTILINE)
LANGUAGES = {".xml": "xml", ".debt": "xml", ".json": "json", ".jsonl": "json"}
FRAME = re.compile(r'(?:(?:#(?!define (?!ESPALIER_\w+_H\b))|extern "C"|}|namespace).*\s*)*')  # of a header: nothing that is called
LONGEST = 6000  # characters of a file that a page shows


def shown(files):
    """What a page shows of an example: each file that is text and not long."""
    parts = []
    for name, text in files.items():
        if len(text) > LONGEST or "```" in text or "\0" in text:
            parts.append(f"`{name}` has {len(text)} characters.\n")
        else:
            parts.append(f"`{name}`:\n\n```{LANGUAGES.get(pathlib.PurePath(name).suffix, '')}\n{text.rstrip(chr(10))}\n```\n")
    return "\n".join(parts)


def files_in(folder):
    """The texts in a folder, by their names."""
    files = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        with contextlib.suppress(UnicodeDecodeError):
            files[path.relative_to(folder).as_posix()] = path.read_text()
    return files


def rules(root):
    """Rows of the tables: code, name, severity, fix, since, summary."""
    for table in sorted((root / "lib/rules").glob("*.def")):
        for prefix, number, name, severity, fix, _, since, summary in RULE.findall(table.read_text()):
            yield prefix + number, name.replace("_", "-"), severity, fix, since, summary.replace('\\"', '"').replace("\\\\", "\\")


def rule_page(root, code, name, severity, fix, since, summary):
    folder = next((root / "lib/rules").glob(f"{code}-*"), None)
    manual = PREFIXES[code[:3]][1]
    text = f"# {code} {name}\n\n**{summary[:1].upper()}{summary[1:]}**\n\n"
    text += (f"{'error, which espalier.json can lower to a warning' if severity == 'lowerable' else severity} · {FIXES[fix]} · since {since} · "
             f"[manual](../{manual}/README.md) · [all rules](README.md)\n\n")
    if folder is None:
        return text
    text += "\n\n".join(line for line in (folder / "why.md").read_text().split("\n") if line) + "\n\n"
    command = (folder / "command").read_text().strip() if (folder / "command").exists() else "espalier lint"
    expected = (folder / "expected").read_text() if (folder / "expected").exists() else ""
    if (folder / "bad").is_dir():
        text += f"## Bad\n\n{shown(files_in(folder / 'bad'))}\n```console\n$ {command}\n{expected.rstrip(chr(10))}\n```\n\n"
    if (folder / "good").is_dir():
        text += f"## Good\n\n{shown(files_in(folder / 'good'))}\n"
    return text + f"\nTo accept a finding of this rule, see [accepting findings](../lib/project/README.md#accepting-findings).\n"


def rule_pages(root):
    pages, lists = {}, collections.defaultdict(list)
    for row in rules(root):
        pages[f"rules/{row[0]}.md"] = rule_page(root, *row)
        severity = "error" if row[2] == "lowerable" else row[2]
        lists[row[0][:3]].append(f"| [{row[0]}]({row[0]}.md) | {row[1]} | {severity} | {row[5].replace('|', chr(92) + '|')} |\n")
    index = f"# Rules\n\n{len(pages)} rules. `espalier explain CODE` shows the same in a terminal.\n"
    for prefix, rows in lists.items():
        about, manual = PREFIXES[prefix]
        index += f"\n## {prefix}: {about}\n\n[Manual](../{manual}/README.md)\n\n| code | name | severity | what |\n|---|---|---|---|\n{''.join(rows)}"
    return pages | {"rules/README.md": index}


class Examples:
    """Conformance cases of a dialect: small projects with traces, whose results are those of the engine."""

    def __init__(self, root, dialect):
        self.cases = []
        for folder in sorted((root / "tests/conformance" / dialect).iterdir()):
            text = "\n".join(path.read_text(errors="replace") for path in folder.rglob("*") if path.suffix in (".xml", ".debt"))
            size = len(text) + sum(trace.stat().st_size for trace in folder.rglob("*.trace.jsonl"))
            if len(text) < size < LONGEST:
                self.cases.append((size, folder, set(re.findall(r"<(\w+)", text)) | set(re.findall(r'\bID="(\w+)"', text))))
        self.cases.sort(key=lambda case: case[0])

    def of(self, element):
        """The smallest case that uses the element, of those whose name says that it is about it if there are any; or nothing."""
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", element).lower()
        found = [folder for _, folder, names in self.cases if element in names]
        return min(found, key=lambda folder: (not folder.name.startswith(words), words not in folder.name), default=None)


def node_page(dialect, name, text, case, made):
    """`case`: the folder of a conformance case, or nothing; `made`: the files of an example of its own, or nothing."""
    manual = f"../../lib/dialects/{dialect}/README.md"
    page = f"# {name}\n\n[{DIALECTS[dialect]}]({manual}) · [all nodes](../README.md)\n\n{text}"
    if case is not None:
        page += (f"\n## Example\n\nThis is a test of espalier, `tests/conformance/{dialect}/{case.name}`: *{case.name.replace('-', ' ')}*. "
                 f"`espalier replay . --trace FILE` runs it.\n\n{shown(files_in(case))}")
    elif made:
        page += f"\n## Example\n\n`espalier replay . --trace {name}.trace.jsonl` runs it.\n\n{shown(made)}"
    return page


def elements(espalier, dialect):
    """What the program says of each element of a dialect, by its name; two of one name, without case, are together."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "espalier.json").write_text(json.dumps({"hostFiles": ["espalier:nav2", "espalier:cryengine"]}))
        tables = subprocess.run([espalier, "schema", dialect, folder, "--format", "markdown"], check=True, capture_output=True, text=True).stdout
    sections, spelling = collections.defaultdict(str), {}
    for name, text in re.findall(r"^### ([^\n]*)\n(.*?)(?=^### |\Z)", tables, re.MULTILINE | re.DOTALL):
        name = name.strip("`")
        # Not all file systems tell 'Ref' and 'ref' apart.
        sections[spelling.setdefault(name.lower(), name)] += text.strip("\n") + "\n\n"
    return sections


def examples_of(root, espalier):
    """The files of the examples that are made, by dialect and name."""
    nav2, cryengine = (json.loads((root / f"schemas/hosts/{name}.json").read_text()) for name in ("nav2", "cryengine"))
    declared = {"btcpp": nav2["btcpp"]["nodes"], "modular": cryengine["hosts"]}
    return made_examples.OF_ESPALIER | {(dialect, name): made_examples.MAKERS[dialect](name, text, names[name]) for dialect, names in declared.items()
                                        for name, text in elements(espalier, dialect).items() if name in names}


def node_pages(root, espalier):
    pages, index = {}, "# Nodes\n\nEvery element of every dialect, with Nav2's and CRYENGINE's nodes.\n"
    made = examples_of(root, espalier)
    for dialect, title in DIALECTS.items():
        cases = Examples(root, dialect)
        index += f"\n## {title}\n\n| node | does |\n|---|---|\n"
        for name, text in elements(espalier, dialect).items():
            file = re.sub(r"\W+", "-", name)
            pages[f"nodes/{dialect}/{file}.md"] = node_page(dialect, name, text, cases.of(name), made.get((dialect, name)))
            does = next((line for line in text.split("\n") if line and not line.startswith("|")), "")
            index += f"| [{name}]({dialect}/{file}.md) | {does.replace('|', chr(92) + '|')} |\n"
    return pages | {"nodes/README.md": index}


def comment_text(comment):
    """The text of a comment as Markdown. Indented lines are code."""
    lines = [re.sub(r"^\s*(?://|/\*+|\*(?!/))? ?", "", line) if not line.startswith("   ") else line[3:] for line in comment.split("\n")]
    lines = [re.sub(r"\s*\*/\s*$", "", line).rstrip() for line in lines]
    out, in_code = [], False
    for line in lines:
        is_code = in_code if not line.strip() else line.startswith("  ")
        if is_code != in_code:
            out.append("\n```c" if is_code else "```\n")
            in_code = is_code
        out.append(line.removeprefix("  ") if in_code else re.sub(r"([*_\[\]<>`#|])", r"\\\1", line))
    return "\n".join(out + (["```"] if in_code else []))


DECLARED = (("macro", r"^\s*#define (\w+)"), ("type", r"\b(?:struct|class|union|enum(?: class)?) (\w+)[^;()]*\{"), ("type", r"^\s*typedef [^{;]*?(\w+);"),
            ("type", r"^\s*typedef [^;]*?\(\*(\w+)\)"), ("type", r"^\s*using (\w+) ="), ("constant", r"^\s*inline constexpr [\w:<> ]+ (\w+) ="),
            ("function", r"^(?!\s*(?:return|if|for|while|else|using|typedef|throw)\b)\s*(?=[A-Za-z_\[])(?![^(]*\boperator\b)[\w:<>\[\],&* ]*[\w>&*\]] +[&*]?(\w+)\("))


def declared(code):
    """Names that a piece of a header declares, with their kinds, in the order in which they stand there."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*", lambda comment: " " * len(comment[0]), code, flags=re.DOTALL)
    names = {}
    for kind, pattern in DECLARED:
        for match in re.finditer(pattern, code, re.MULTILINE):
            names.setdefault(match[1], (match.start(1), kind))
    return [(name, kind) for name, (_, kind) in sorted(names.items(), key=lambda item: item[1])]


def header_page(path):
    """Declarations with the comments before them, in the order of the file, without what is internal."""
    text = re.sub(r"^namespace internal \{.*?^\}  // namespace internal\n", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    page = f"# {path.name}\n\n[The runtime](../lib/runtime/README.md) · [all headers](README.md)\n"
    for piece in re.split(r"^(/\*.*?\*/[ \t]*\n|(?://[^\n]*\n)+)", text, flags=re.MULTILINE | re.DOTALL):
        section = re.fullmatch(r"(?:/\*|//) -+ (.*?)(?: -+ \*/)?\n", piece)
        if section:
            page += f"\n## {section[1]}\n"
        elif piece.startswith(("/*", "//")):
            page += f"\n{comment_text(piece.strip(chr(10)))}\n"
        else:
            page += "".join(f"\n```cpp\n{code.strip(chr(10))}\n```\n" for code in re.split(r"\n\s*\n", piece) if not FRAME.fullmatch(code.strip()))
    return page


def header_pages(root):
    headers = sorted((root / "lib/runtime/include/espalier").glob("*.h*"))
    pages = {f"reference/{path.name}.md": header_page(path) for path in headers}
    index = "# C and C++\n\n[The runtime](../lib/runtime/README.md) explains these headers by what you want to do.\n\n"
    for path in headers:
        names = declared("\n".join(re.findall(r"```cpp\n(.*?)\n```", pages[f"reference/{path.name}.md"], re.DOTALL)))
        index += f"## {path.name}\n\n[{path.name}]({path.name}.md): " + ", ".join(f"[`{name}`]({path.name}.md#{name})" for name, _ in names) + "\n\n"
    return pages | {"reference/README.md": index}


def pages(root, espalier):
    return rule_pages(root) | node_pages(root, espalier) | header_pages(root)
