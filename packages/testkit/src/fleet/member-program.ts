import { join } from 'node:path'
import type { SignerName } from '@wp/contracts'
import { type BundledProgram, bundledProgram } from '../bundled-program.ts'
import { programEnvironment } from '../program-environment.ts'

const root = join(import.meta.dirname, '../../../..')

/** Returns the folder of a member's code, relative to its checkout. */
const relativeFolderOf = (name: SignerName): string => (name === 'gateway' ? 'gateway' : `services/${name}`)

/** Returns the folder of a member's code. */
export const folderOf = (name: SignerName, checkout = root): string => join(checkout, relativeFolderOf(name))

/** Returns the program of a member: its bundle, or in another checkout its sources. */
export async function memberProgram(
  name: SignerName,
  env: Readonly<Record<string, string>>,
  checkout = root,
): Promise<BundledProgram> {
  if (checkout === root) return bundledProgram(`${relativeFolderOf(name)}/src/main.ts`, env)
  return { path: join(folderOf(name, checkout), 'src/main.ts'), env: programEnvironment(env) }
}
