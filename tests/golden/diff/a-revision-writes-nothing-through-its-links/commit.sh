# A commit with the name 'trees' twice: as a link to $1, and as a folder with a file; and a file below a link of another case.
mkdir -p outside checkout/trees
cd checkout
git init -q .
git config user.name nobody
git config user.email nobody@localhost
file=$(git hash-object -w ../guard.xml)
link=$(printf %s "$1" | git hash-object -w --stdin)
folder=$(printf '100644 blob %s\tguard.xml\n' "$file" | git mktree)
tree=$(printf '120000 blob %s\ttrees\n040000 tree %s\ttrees\n' "$link" "$folder" | git mktree)
commit=$(git commit-tree "$tree" -m trees)
git update-ref HEAD "$commit"
cp ../guard.xml trees/
