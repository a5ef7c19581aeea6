" Vim 9 with the plugin yegappan/lsp: starts `espalier lsp` for trees, traces, properties and espalier.json.
if exists('g:loaded_espalier')
  finish
endif
let g:loaded_espalier = 1

augroup espalier
  autocmd!
  autocmd BufNewFile,BufRead *.debt set filetype=xml
  autocmd BufNewFile,BufRead *.trace.jsonl,*.properties.json,espalier.json set filetype=espalierjson syntax=json
  autocmd User LspSetup call LspAddServer([#{name: 'espalier', filetype: ['xml', 'espalierjson'],
    \ path: get(g:, 'espalier_program', 'espalier'), args: ['lsp'], rootSearch: ['espalier.json', 'package.xml']}])
augroup END
