#!/usr/bin/env bash
# A good engineer would guess: Fuse.js, asked for a word that stands in the description of one tool, finds that tool, and
# puts it before tools that do not have the word.
#
# True of fuse.js 7.5.0 (npm, 2026-11): where a match stands counts. At its defaults (location 0, distance 100, threshold
# 0.6) a word far from the beginning of a description is not found, exactly as it is written, and the third word of one can
# rank behind a short description that does not have it at all, since some of its letters match there nearer to the
# beginning. Descriptions of tools are long. With ignoreLocation: true the word that is there comes first.
#
# Output seen:
#   report, from 0: bucket_usage 0.46, create_page 0.71
#   space, from 16: create_page 0.55, bucket_usage 0.56
#   invoice, from 99: nothing
#   invoice, ignoring where: bucket_usage 0.46
#   space, ignoring where: bucket_usage 0.29, create_page 0.49
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm i --silent --ignore-scripts --no-audit --no-fund fuse.js@7.5.0 >/dev/null 2>&1
cat >ask.mjs <<'JS'
import Fuse from 'fuse.js';

const tools = [
  { name: 'bucket_usage', description: 'Report how much space the objects of a bucket take, grouped by storage class and by month, for the invoice.' },
  { name: 'create_page', description: 'Write a page.' },
];
const found = (query, options) =>
  new Fuse(tools, { keys: ['name', 'description'], includeScore: true, ...options }).search(query)
    .map(hit => `${hit.item.name} ${hit.score.toFixed(2)}`).join(', ') || 'nothing';
for (const word of ['report', 'space', 'invoice']) {
  console.log(`${word}, from ${tools[0].description.toLowerCase().indexOf(word)}: ${found(word)}`);
}
for (const word of ['invoice', 'space']) {
  console.log(`${word}, ignoring where: ${found(word, { ignoreLocation: true })}`);
}
JS
node ask.mjs | tee seen
diff seen - <<'SEEN'
report, from 0: bucket_usage 0.46, create_page 0.71
space, from 16: create_page 0.55, bucket_usage 0.56
invoice, from 99: nothing
invoice, ignoring where: bucket_usage 0.46
space, ignoring where: bucket_usage 0.29, create_page 0.49
SEEN
