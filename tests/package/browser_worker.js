// Follows what the page runs in its worker: runs the program on a copy of a folder, { words, environment, folder, current, entries,
// input, streams }, and says what it wrote and which files it has changed.
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

function textOf(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 1 << 15) text += String.fromCharCode(...bytes.subarray(at, at + (1 << 15)));
  return btoa(text);
}

function isSame(one, other) { return one.length === other.length && one.every((byte, i) => byte === other[i]); }

function runInFolder({ words, environment, folder, current, entries, input, streams }) {
  const given = new Map();  // by path: what was there before
  const parts = [];
  const changes = [];
  const bytes = bytesOf(input);
  let at = 0;

  function prepare(FS) {
    FS.mkdirTree(folder);
    for (const { path, kind, mode, content, stat } of entries) {
      if (kind === 'elsewhere') continue;
      if (kind === 'folder') FS.mkdirTree(path);
      if (kind === 'link') FS.symlink(content, path);
      if (kind === 'file') FS.writeFile(path, bytesOf(content));
      const { node } = FS.lookupPath(path, { follow: false });
      if (kind !== 'link') FS.chmod(path, mode);
      const { getattr } = node.node_ops;
      if (kind === 'file') {  // other names of the same file are known by its number
        node.node_ops = { ...node.node_ops, getattr: (one) => ({ ...getattr(one), dev: stat.dev, ino: stat.ino, mtime: new Date(stat.mtimeMs) }) };
      }
      given.set(path, { node, mode, content: kind === 'file' ? bytesOf(content) : null });
    }
    // What links lead to elsewhere is there, and empty.
    for (const { path, kind } of entries) {
      if (kind !== 'elsewhere' || FS.analyzePath(path).exists) continue;
      FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
      FS.writeFile(path, '');
    }
    streams.forEach((stat, i) => {
      const now = new Date();
      FS.getStream(i).stat = () => ({ ...stat, atime: now, mtime: now, ctime: now });
    });
    FS.chdir(current);
  }

  function collect(FS, path) {
    for (const name of FS.readdir(path)) {
      if (name === '.' || name === '..') continue;
      const place = path + '/' + name;
      const { node } = FS.lookupPath(place, { follow: false });
      const before = given.get(place);
      given.delete(place);
      const mode = node.mode & 0o7777;
      if (FS.isDir(node.mode)) {
        if (!before) changes.push({ path: place, kind: 'folder', mode });
        collect(FS, place);
      } else if (FS.isLink(node.mode)) {
        if (!before) changes.push({ path: place, kind: 'link', content: node.link });
      } else {
        const content = FS.readFile(place);
        const isNew = !before || before.node !== node;
        if (isNew || before.mode !== mode || !isSame(content, before.content)) {
          changes.push({ path: place, kind: 'file', mode, content: textOf(content), isNew });
        }
      }
    }
  }

  const status = runProgram(espalier, program.module, words, {
    environment,
    prepare,
    read(target) {
      const part = bytes.subarray(at, at + target.length);
      target.set(part);
      at += part.length;
      return part.length;
    },
    write: (descriptor, part) => parts.push([descriptor, textOf(part)]),
    finish: (FS) => collect(FS, folder),
  });
  return { status, parts, changes, removed: [...given.keys()] };
}

const answerPage = onmessage;
onmessage = (event) => {
  const { data } = event;
  if (!data.words) return answerPage(event);
  queue = queue.then(() => {
    try {
      postMessage({ id: data.id, ...runInFolder(data) });
    } catch (fault) {
      postMessage({ id: data.id, fault: fault.stack || `${fault.name} ${fault.errno}` });
    }
  });
};
