import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readDebianMirrors } from './apt-sources.ts'

/** Returns true if the text can be the name of a Debian release: `bookworm` has nats-server 2.9, `trixie` has 2.10. */
export const isDebianSuite = (name: string): boolean => /^[a-z-]+$/.test(name)

const archiveKeys = '/usr/share/keyrings/debian-archive-keyring.gpg'

/**
 * Downloads the Debian package of a program, using apt, which verifies its signature, and unpacks it into the folder.
 * Needs no root, installs nothing and starts nothing. Package lists are downloaded into the folder if the machine has
 * none.
 *
 * @param suite a Debian release. Default: that of this machine. Other releases use the mirrors of this machine.
 * @param packageName default: the name of the program
 * @returns the path of the program
 * @throws Error if the package cannot be downloaded
 */
export async function downloadDebianProgram(
  workFolder: string,
  program: string,
  suite?: string,
  packageName = program,
): Promise<string> {
  const run = (file: string, ...args: string[]) => promisify(execFile)(file, args, { cwd: workFolder, timeout: 60_000 })
  // As root, apt would switch to an account that cannot write to the folder.
  const sandboxUser = ['-o', `APT::Sandbox::User=${process.getuid?.() === 0 ? 'root' : ''}`]
  const updateAndDownload = async (options: string[]) => {
    for (const folder of ['lists', 'archives']) mkdirSync(join(workFolder, folder, 'partial'), { recursive: true })
    const ownFolders = ['-o', `Dir::State::Lists=${workFolder}/lists`, '-o', `Dir::Cache=${workFolder}`]
    const apt = (...args: string[]) =>
      run('apt-get', ...sandboxUser, ...ownFolders, '-o', 'Debug::NoLocking=1', ...options, ...args)
    // One unavailable source makes the update fail, even if the others succeed. The download shows the result.
    await apt('update').catch(() => {})
    await apt('download', packageName)
  }

  if (suite !== undefined) await updateAndDownload(useSuite(workFolder, suite))
  else
    await run('apt-get', ...sandboxUser, 'download', packageName).catch(async (error: Error & { code?: unknown }) => {
      if (error.code === 'ENOENT') throw error
      await updateAndDownload([])
    })
  const archive = readdirSync(workFolder).find((name) => name.endsWith('.deb'))
  if (archive === undefined) throw new Error('apt-get downloaded nothing')
  await run('dpkg-deb', '-x', archive, 'unpacked')
  const paths = ['usr/sbin', 'usr/bin'].map((folder) => join(workFolder, 'unpacked', folder, program))
  const binary = paths.find((path) => existsSync(path))
  if (binary === undefined) throw new Error(`the package does not contain ${program}`)
  return binary
}

/** Writes a sources.list for a release, and returns the options with which apt uses it alone. */
function useSuite(workFolder: string, suite: string): string[] {
  const mirrors = readDebianMirrors()
  if (mirrors.length === 0) throw new Error('apt has no Debian mirror in /etc/apt')
  const sources = join(workFolder, 'sources.list')
  writeFileSync(sources, mirrors.map((uri) => `deb [signed-by=${archiveKeys}] ${uri} ${suite} main\n`).join(''))
  return ['-o', `Dir::Etc::SourceList=${sources}`, '-o', 'Dir::Etc::SourceParts=/dev/null']
}
