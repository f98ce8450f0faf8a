// `npm run opensearch` stores OpenSearch in the cache, for the tests and the benchmark of the second search engine.
// Exits with 1 if it cannot be had; the tests are then skipped and say so.
import { fetchOpenSearch } from '@wp/testkit'

try {
  process.stdout.write(`${await fetchOpenSearch()}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message.trim().split('\n').at(-1) : error}\n`)
  process.exitCode = 1
}
