-- What vim.lsp.start() of Neovim 0.8 and newer does, by its manual, for a version that does not have it.
if not vim.lsp.start then
  function vim.lsp.start(config, options)
    for _, client in ipairs(vim.lsp.get_active_clients()) do
      if options.reuse_client(client, config) then
        vim.lsp.buf_attach_client(options.bufnr, client.id)
        return client.id
      end
    end
    local client = vim.lsp.start_client(config)
    if client then vim.lsp.buf_attach_client(options.bufnr, client) end
    return client
  end
end
