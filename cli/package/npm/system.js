// Where emscripten's system differs from others in what the program asks of it.
mergeInto(LibraryManager.library, {
  posix_spawnp: function() { return {{{ cDefine('ENOSYS') }}}; },  // no other program can be run

  // Nothing happens while the program waits, but time passes.
  __syscall_poll: function(fds, count, time_ms) {
    if (time_ms !== 0 && !Module['sleep']) return -{{{ cDefine('ENOSYS') }}};
    if (time_ms > 0) Module['sleep'](time_ms);
    return 0;
  },

  // A stream may know better than its path what it is.
  __syscall_fstat64: function(descriptor, buffer) {
    try {
      const stream = SYSCALLS.getStreamFromFD(descriptor);
      return SYSCALLS.doStat(stream.stat || FS.stat, stream.path, buffer);
    } catch (fault) {
      return -(fault.errno > 0 ? fault.errno : {{{ cDefine('EBADF') }}});
    }
  },
});

// Times of files are whole seconds there.
LibraryManager.library.$SYSCALLS.doStatInSeconds = LibraryManager.library.$SYSCALLS.doStat;
LibraryManager.library.$SYSCALLS.doStat = function(ask, path, buffer) {
  let stat = null;
  const result = SYSCALLS.doStatInSeconds((name) => stat = ask(name), path, buffer);
  if (result === 0) {
    {{{ makeSetValue('buffer', C_STRUCTS.stat.st_mtim.tv_nsec, '(stat.mtime.getTime() % 1000) * 1000000', 'i32') }}};
  }
  return result;
};
