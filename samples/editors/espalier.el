;;; espalier.el --- behaviour trees with `espalier lsp' -*- lexical-binding: t -*-
;; Load this file; then `M-x eglot' in a tree, or the hooks below.
(require 'eglot)

(add-to-list 'auto-mode-alist '("\\.debt\\'" . nxml-mode))
(add-to-list 'auto-mode-alist '("\\.trace\\.jsonl\\'" . js-json-mode))
(add-to-list 'eglot-server-programs '((nxml-mode js-json-mode) . ("espalier" "lsp")))

(defun espalier-maybe-start ()
  "Start the language server in projects that have an espalier.json."
  (when (and buffer-file-name (locate-dominating-file buffer-file-name "espalier.json"))
    (eglot-ensure)))
(add-hook 'nxml-mode-hook #'espalier-maybe-start)
(add-hook 'js-json-mode-hook #'espalier-maybe-start)

(provide 'espalier)
;;; espalier.el ends here
