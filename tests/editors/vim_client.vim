" Asks the language server by Vim's plugin yegappan/lsp: tests/editors/editors.py runs it with guard.xml. The result is in the file
" ESPALIER_ANSWERS.
let s:faults = []
function! s:Expect(is_so, what)
  if !a:is_so
    call add(s:faults, a:what)
  endif
endfunction
function! s:Wait(what, condition)
  for i in range(400)
    if eval(a:condition)
      return
    endif
    sleep 50m
  endfor
  call add(s:faults, a:what)
endfunction
function! s:Ask()
  call s:Wait('the client starts', 'LspServerReady()')
  call s:Wait('a tree without findings', 'lsp#lsp#ErrorCount().Error == 0')
  let place = search('condition="Alerted"')
  call s:Expect(place > 0, 'a leaf')
  let line = getline(place)
  call setline(place, substitute(line, '"Alerted"', '"Alertd"', ''))
  call listener_flush()
  call s:Wait('a diagnostic', 'lsp#lsp#ErrorCount().Error == 1')
  call setline(place, line)
  call listener_flush()
  call s:Wait('no diagnostic', 'lsp#lsp#ErrorCount().Error == 0')
  call cursor(place, stridx(line, 'Alerted') + 2)
  LspGotoDefinition
  call s:Wait('definition', 'getline(".") =~# "Variable name=.Alerted"')
endfunction
function! s:Run(timer)
  try
    call s:Ask()
  catch
    call add(s:faults, v:exception .. ' at ' .. v:throwpoint)
  endtry
  call writefile(empty(s:faults) ? ['all answers hold'] : s:faults, $ESPALIER_ANSWERS)
  qall!
endfunction
" The plugin begins when Vim has begun.
autocmd VimEnter * call timer_start(100, function('s:Run'))
