// What emscripten's system lacks of what the program calls.
mergeInto(LibraryManager.library, {
  posix_spawnp: function() { return {{{ cDefine('ENOSYS') }}}; },  // no other program can be run
});
