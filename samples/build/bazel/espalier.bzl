"""Compiles behaviour trees and tests them in Bazel 4.2 or later.

espalier_program(name = "espalier"), in WORKSPACE: the program, which the variable ESPALIER names or which is on PATH.
espalier_trees(name, srcs, data, options): compiles trees to NAME.espb, and writes the header NAME_ids.h with their ids.
espalier_trace_test(name, trees, traces): replays traces against what espalier_trees has compiled; its shards share them.
"""

def _program(repository_ctx):
    program = repository_ctx.os.environ.get("ESPALIER") or repository_ctx.which("espalier")
    if not program:
        fail("there is no espalier on PATH: install it, or set the variable ESPALIER to its path")
    repository_ctx.symlink(program, "espalier")
    repository_ctx.file("BUILD.bazel", 'exports_files(["espalier"], visibility = ["//visibility:public"])\n')

espalier_program = repository_rule(implementation = _program, environ = ["ESPALIER", "PATH"], local = True)

_PROGRAM = attr.label(
    default = "@espalier//:espalier",
    allow_single_file = True,
    cfg = "exec",
    executable = True,
)

def _trees(ctx):
    asset = ctx.actions.declare_file(ctx.label.name + ".espb")
    header = ctx.actions.declare_file(ctx.label.name + "_ids.h")
    arguments = ctx.actions.args()
    arguments.add("compile")
    arguments.add_all(ctx.files.srcs)
    arguments.add("-o", asset)
    arguments.add("--header", header)
    arguments.add_all(ctx.attr.options)
    ctx.actions.run(
        executable = ctx.executable._espalier,
        arguments = [arguments],
        inputs = ctx.files.srcs + ctx.files.data,
        outputs = [asset, header],
        mnemonic = "CompileTrees",
        progress_message = "Compiling the trees of %s" % ctx.label,
    )
    files = [asset, header]
    return [DefaultInfo(files = depset(files), runfiles = ctx.runfiles([asset])), OutputGroupInfo(asset = depset([asset]))]

espalier_trees = rule(
    implementation = _trees,
    attrs = {
        "srcs": attr.label_list(allow_files = [".xml"], mandatory = True, doc = "all trees of a project"),
        "data": attr.label_list(allow_files = True, doc = "espalier.json and the files that it names"),
        "options": attr.string_list(doc = "further options of `espalier compile`, such as --strip"),
        "_espalier": _PROGRAM,
    },
)

def _trace_test(ctx):
    program = ctx.executable._espalier
    asset = ctx.attr.trees[OutputGroupInfo].asset.to_list()[0]
    words = [program.short_path, "replay", asset.short_path, "--trace"] + [trace.short_path for trace in ctx.files.traces]
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(script, "#!/bin/sh\nexec %s\n" % " ".join(["'%s'" % word for word in words]), is_executable = True)
    return [DefaultInfo(executable = script, runfiles = ctx.runfiles([program, asset] + ctx.files.traces))]

espalier_trace_test = rule(
    implementation = _trace_test,
    test = True,
    attrs = {
        "trees": attr.label(providers = [OutputGroupInfo], mandatory = True),
        "traces": attr.label_list(allow_files = [".trace.jsonl"], mandatory = True),
        "_espalier": _PROGRAM,
    },
)
