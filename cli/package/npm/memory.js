// Runs the program on files in memory: their names below the current folder, and their contents as strings or bytes.
'use strict';

// `program`: { factory, module, runProgram }. Returns what the run wrote, and the files that it has made or changed.
function runInMemory(program, words, files = {}, { input = '' } = {}) {
  const encoder = new TextEncoder();
  const bytesOf = (content) => (typeof content === 'string' ? encoder.encode(content) : content);
  const texts = { 1: [], 2: [] };
  const given = new Map();
  const changed = {};
  const bytes = bytesOf(input);
  let at = 0;

  function prepare(FS) {
    FS.mkdir('/project');
    FS.chdir('/project');
    for (const [name, content] of Object.entries(files)) {
      const path = name.split('/');
      if (path.some((part) => part === '' || part === '..')) throw new TypeError(`not a path below the current folder: ${name}`);
      FS.mkdirTree('/project/' + path.slice(0, -1).join('/'));
      FS.writeFile('/project/' + name, bytesOf(content));
      given.set(name, bytesOf(content));
    }
  }

  function collect(FS, folder) {
    for (const name of FS.readdir('/project/' + folder)) {
      if (name === '.' || name === '..') continue;
      const path = folder + name;
      if (FS.isDir(FS.stat('/project/' + path).mode)) {
        collect(FS, path + '/');
        continue;
      }
      const content = FS.readFile('/project/' + path);
      const before = given.get(path);
      if (!before || before.length !== content.length || before.some((byte, i) => byte !== content[i])) changed[path] = content;
    }
  }

  const status = program.runProgram(program.factory, program.module, words, {
    environment: { NO_COLOR: '1', LC_ALL: 'C.UTF-8', XDG_CACHE_HOME: '/dev/null' },
    prepare,
    read(target) {
      const part = bytes.subarray(at, at + target.length);
      target.set(part);
      at += part.length;
      return part.length;
    },
    write: (descriptor, part) => texts[descriptor].push(part),
    finish: (FS) => collect(FS, ''),
  });
  const textOf = (parts) => {
    const decoder = new TextDecoder();
    return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
  };
  return { status, output: textOf(texts[1]), errors: textOf(texts[2]), files: changed };
}

if (typeof module !== 'undefined') module.exports = { runInMemory };
