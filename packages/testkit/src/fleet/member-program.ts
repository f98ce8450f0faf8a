import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SignerName } from '@wp/contracts'
// biome-ignore lint/correctness/useImportExtensions: its types are in find-program.d.mts
import { compileCacheOf, findProgram } from '../../../../infra/toolchain/programs/find-program.mjs'
import { programEnvironment } from '../program-environment.ts'

const root = join(import.meta.dirname, '../../../..')

/** What a process of a member runs. */
export interface MemberProgram {
  path: string
  env: Record<string, string>
}

/** Returns the folder of a member's code. */
export const folderOf = (name: SignerName, checkout = root): string =>
  name === 'gateway' ? join(checkout, 'gateway') : join(checkout, 'services', name)

/**
 * Returns the program of a member: its bundle, which starts in half the time of its sources and is built first if it is
 * missing or outdated. In another checkout, or where bundles cannot be built, its sources.
 */
export async function memberProgram(
  name: SignerName,
  env: Readonly<Record<string, string>>,
  checkout = root,
): Promise<MemberProgram> {
  const bundle = checkout === root ? await currentBundle(name) : undefined
  if (bundle === undefined) return { path: join(folderOf(name, checkout), 'src/main.ts'), env: programEnvironment(env) }
  return { path: bundle, env: programEnvironment({ NODE_COMPILE_CACHE: compileCacheOf(bundle), ...env }) }
}

async function currentBundle(name: SignerName): Promise<string | undefined> {
  const source = name === 'gateway' ? 'gateway/src/main.ts' : `services/${name}/src/main.ts`
  const bundle = findProgram(root, source)
  if (bundle !== undefined) return bundle
  await promisify(execFile)(process.execPath, [join(root, 'infra/toolchain/build-programs.ts')])
  return findProgram(root, source)
}
