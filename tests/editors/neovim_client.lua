-- Asks the language server by Neovim's own client: tests/editors/editors.py runs it with the plugin of samples/editors/neovim and guard.xml.
local buffer = vim.api.nvim_get_current_buf()
local faults = {}
local function expect(is_so, what)
  if not is_so then table.insert(faults, what) end
end
local function wait(what, condition) expect(vim.wait(20000, condition, 20), what) end
local function place(line, column) return { textDocument = vim.lsp.util.make_text_document_params(buffer), position = { line = line, character = column } } end
local function ask(method, parameters)
  local answers = vim.lsp.buf_request_sync(buffer, method, parameters, 20000) or {}
  for _, answer in pairs(answers) do
    expect(answer.error == nil, method .. ': ' .. vim.inspect(answer.error))
    return answer.result
  end
  expect(false, method .. ': no answer')
end

wait('the client starts', function() return #vim.lsp.get_active_clients() == 1 and vim.lsp.get_active_clients()[1].initialized end)
local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
local leaf
for number, line in ipairs(lines) do
  if line:find('condition="Alerted"', 1, true) then leaf = number - 1 end
end
local column = lines[leaf + 1]:find('Alerted', 1, true) - 1

expect(ask('textDocument/hover', place(leaf, column)).contents.value:find('set by', 1, true), 'hover')
expect(#ask('textDocument/definition', place(leaf, column)) == 1, 'definition')
expect(#ask('textDocument/references', vim.tbl_extend('force', place(leaf, column), { context = { includeDeclaration = true } })) > 4, 'references')
expect(#ask('textDocument/completion', place(leaf, column)).items > 4, 'completion')
expect(#ask('textDocument/documentSymbol', { textDocument = vim.lsp.util.make_text_document_params(buffer) }) == 1, 'symbols')

-- A fault is typed, shown, and fixed by a renaming.
vim.api.nvim_buf_set_lines(buffer, leaf, leaf + 1, false, { (lines[leaf + 1]:gsub('Alerted', 'Alertd')) })
wait('a diagnostic', function() return #vim.diagnostic.get(buffer) == 1 end)
expect((vim.diagnostic.get(buffer)[1] or {}).message:find("unknown variable 'Alertd'", 1, true), 'its message')
vim.api.nvim_buf_set_lines(buffer, leaf, leaf + 1, false, { lines[leaf + 1] })
wait('no diagnostic', function() return #vim.diagnostic.get(buffer) == 0 end)
local edit = ask('textDocument/rename', vim.tbl_extend('force', place(leaf, column), { newName = 'Warned' }))
vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
expect(not table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n'):find('"Alerted"', 1, true), 'renaming')

for _, fault in ipairs(faults) do io.stderr:write('FAILED: ' .. fault .. '\n') end
io.stdout:write(#faults == 0 and 'Neovim: all answers hold\n' or '')
vim.lsp.stop_client(vim.lsp.get_active_clients())
vim.cmd(#faults == 0 and 'qall!' or 'cquit 1')
