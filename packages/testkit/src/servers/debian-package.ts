import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The names of Debian's releases are words: `bookworm` has nats-server 2.9, `trixie` 2.10. */
export const isDebianSuite = (name: string): boolean => /^[a-z-]+$/.test(name)

const archiveKeys = '/usr/share/keyrings/debian-archive-keyring.gpg'

/**
 * Downloads the Debian package of a program, which has its name, with apt (which checks its signature) and unpacks it into
 * the folder; needs no root and installs nothing. Where the machine has no package lists, fetches them into the same
 * folder.
 *
 * @param suite of which release of Debian, whichever the machine's own is; left out, the machine's own
 */
export async function downloadDebianProgram(workFolder: string, program: string, suite?: string): Promise<string> {
  const run = (file: string, ...args: string[]) => promisify(execFile)(file, args, { cwd: workFolder, timeout: 60_000 })
  // As root, apt would drop to an account that can't write to our folder.
  const asOurselves = ['-o', `APT::Sandbox::User=${process.getuid?.() === 0 ? 'root' : ''}`]
  const download = async (options: string[]) => {
    mkdirSync(join(workFolder, 'lists/partial'), { recursive: true })
    mkdirSync(join(workFolder, 'archives/partial'), { recursive: true })
    const ownLists = [
      '-o',
      `Dir::State::Lists=${workFolder}/lists`,
      '-o',
      `Dir::Cache=${workFolder}`,
      '-o',
      'Debug::NoLocking=1',
    ]
    // One unreachable third-party source makes the update fail as a whole; the download tells whether Debian's came.
    await run('apt-get', ...asOurselves, ...ownLists, ...options, 'update').catch(() => {})
    await run('apt-get', ...asOurselves, ...ownLists, ...options, 'download', program)
  }

  if (suite === undefined) {
    try {
      await run('apt-get', ...asOurselves, 'download', program)
    } catch (error) {
      if (!(error instanceof Error) || ('code' in error && error.code === 'ENOENT')) throw error
      await download([])
    }
  } else {
    const sources = join(workFolder, 'sources.list')
    writeFileSync(sources, `deb [signed-by=${archiveKeys}] http://deb.debian.org/debian ${suite} main\n`)
    await download(['-o', `Dir::Etc::SourceList=${sources}`, '-o', 'Dir::Etc::SourceParts=/dev/null'])
  }
  const archive = readdirSync(workFolder).find((name) => name.endsWith('.deb'))
  if (archive === undefined) throw new Error('apt-get downloaded nothing')
  await run('dpkg-deb', '-x', archive, 'unpacked')
  const places = ['usr/sbin', 'usr/bin'].map((folder) => join(workFolder, 'unpacked', folder, program))
  const binary = places.find((place) => existsSync(place))
  if (binary === undefined) throw new Error(`the package holds no ${program}`)
  return binary
}
