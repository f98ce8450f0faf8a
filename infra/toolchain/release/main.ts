// `npm run release -- 1.2.3` makes a release from a clean working tree: version, changelog, generated files, OpenAPI
// document of the release, packages, chart and, where Docker answers, images, and checks each. It commits and tags;
// nothing is pushed or published. `--dry-run` restores the tree and leaves the artifacts in dist/packages.
// `--repository`, `--homepage` and `--bugs` are the addresses that the manifests of the packages name from then on.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { findHelm } from '@wp/testkit'
import { buildImage, findBuilderProblem, requireStart } from '../images/build-image.ts'
import { releaseImages } from '../images/release-images.ts'
import { type Addresses, writeAddresses } from './addresses.ts'
import { checkPackages, packPackages } from './pack-packages.ts'
import { readVersion, releaseChangelog, writeVersion } from './version.ts'

const root = join(import.meta.dirname, '../../..')
const target = join(root, 'dist/packages')
const print = (line: string) => void process.stdout.write(`${line}\n`)

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      repository: { type: 'string' },
      homepage: { type: 'string' },
      bugs: { type: 'string' },
    },
  })
  const { 'dry-run': isDryRun, ...addresses } = values
  await release(positionals[0] ?? '', { isDryRun, addresses })
} catch (error) {
  process.stderr.write(`release: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

async function release(
  version: string,
  { isDryRun, addresses }: { isDryRun: boolean; addresses: Addresses },
): Promise<void> {
  requireReleasable(version)
  try {
    step('addresses', () => {
      writeAddresses(addresses)
      return Object.values(addresses).join(', ') || 'none given'
    })
    writeFiles(version)
    await makeArtifacts(version)
    if (!isDryRun) {
      git('add', '--all')
      git('commit', '--quiet', '--message', `release: ${version}`)
      git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`)
      print(`committed and tagged as v${version}; nothing was pushed or published`)
    }
  } finally {
    // After a commit there is nothing to restore.
    git('reset', '--quiet', '--hard')
    git('clean', '--quiet', '--force', '-d', 'docs/releases')
  }
}

function requireReleasable(version: string): void {
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new Error('usage: npm run release -- 1.2.3 [--dry-run] [--repository url] [--homepage url] [--bugs url]')
  const current = readVersion()
  if (version.localeCompare(current, 'en', { numeric: true }) < 0)
    throw new Error(`${version} is older than ${current}, the version of package.json`)
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`the tag v${version} exists`)
  if (git('status', '--porcelain') !== '') throw new Error('the working tree has changes; commit them first')
}

/** Changes what is committed, and generates what is derived from it. */
function writeFiles(version: string): void {
  step('version', () => `${writeVersion(version).length} files`)
  step('changelog', () => {
    const path = join(root, 'CHANGELOG.md')
    const date = new Date().toISOString().slice(0, 10)
    writeFileSync(path, releaseChangelog(readFileSync(path, 'utf8'), version, date))
    return `"Unreleased" is now ${version}`
  })
  for (const name of ['openapi', 'docs', 'k8s']) step(`npm run ${name}`, () => lastLine(npm(name)))
  step('npm run openapi:breaking', () => lastLine(npm('openapi:breaking')))
  step('npm run redocly', () => lastLine(npm('redocly')))
  step('OpenAPI document of the release', () => {
    npm('openapi:breaking', '--release', version)
    // What was accepted since the release before is part of this one.
    for (const file of globSync('docs/releases/accepted-since-*.txt', { cwd: root })) rmSync(join(root, file))
    return `docs/releases/openapi-${version}.json.gz`
  })
}

async function makeArtifacts(version: string): Promise<void> {
  rmSync(target, { recursive: true, force: true })
  const paths = await packPackages()
  step('packages', () => paths.map((path) => basename(path)).join(', '))
  step('installed in empty projects', () => {
    checkPackages(version)
    return 'the client, the command line and the Python client run'
  })
  step('chart', () => packChart())
  const problem = await findBuilderProblem('buildkit')
  if (problem !== undefined) print(`images: not built: ${problem}`)
  else
    for (const image of releaseImages) {
      const { tag } = await buildImage(image, 'buildkit')
      await requireStart(tag)
      execFileSync('docker', ['tag', tag, `workspace-platform-${image.name}:${version}`])
      print(`image: workspace-platform-${image.name}:${version}`)
    }
  const files = globSync('*', { cwd: target }).sort()
  const sums = files.map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(join(target, file)))
        .digest('hex')}  ${file}`,
  )
  writeFileSync(join(target, 'SHA256SUMS'), `${sums.join('\n')}\n`)
  for (const file of files) print(`  ${(statSync(join(target, file)).size / 1024).toFixed(0).padStart(6)} KiB  ${file}`)
}

function packChart(): string {
  const helm = findHelm()
  if (helm === undefined) return 'not packed: there is no helm (npm run helm)'
  const output = execFileSync(helm, ['package', join(root, 'k8s/chart'), '--destination', target], { encoding: 'utf8' })
  return basename(lastLine(output))
}

function step(name: string, work: () => string): void {
  print(`${name}: ${work()}`)
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}

function npm(script: string, ...args: string[]): string {
  try {
    return execFileSync('npm', ['run', '--silent', script, '--', ...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
    })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string } // of a process that failed
    throw new Error(`npm run ${script} failed:\n${stdout}${stderr}`, { cause: error })
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) || 'done'
}
