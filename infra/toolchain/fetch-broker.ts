// `npm run broker` stores a nats-server of the version that production runs in the cache, from which tests and the
// local fleet take it. Exits with 1 if neither GitHub nor the Go module proxy is reachable; tests then use Debian's
// package.
import { fetchNatsRelease } from '@wp/testkit'

try {
  process.stdout.write(`${await fetchNatsRelease({ log: (line) => process.stderr.write(`${line}\n`) })}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
