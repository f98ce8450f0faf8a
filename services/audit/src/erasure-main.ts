// `npm run audit:erase` erases the personal data of one person in the audit log of a workspace. It connects with a role
// that no service uses.
import { parseArgs } from 'node:util'
import { connectDatabase } from '@wp/database'
import { readConfig } from '@wp/service/read-config'
import { z } from 'zod'
import { erasePerson } from './erase-person.ts'

const usage = `usage:
  npm run audit:erase -- --workspace <ws_…> --actor <usr_…>
environment:
  DATABASE_ERASURE_URL      the database of audit, with the role wp_audit_erasure`

const environment = z.object({ DATABASE_ERASURE_URL: z.string() })
const options = { workspace: { type: 'string', default: '' }, actor: { type: 'string', default: '' } } as const
const id = /^[a-z]+_[0-9a-z]{26}$/

try {
  const { workspace: workspaceId, actor: actorId } = parseArgs({ options }).values
  if (!workspaceId.startsWith('ws_') || !id.test(workspaceId))
    throw new Error('--workspace must be the id of a workspace')
  if (!id.test(actorId)) throw new Error('--actor must be the id of an actor, such as usr_…')
  const { DATABASE_ERASURE_URL: url } = readConfig(environment, process.env)
  const database = connectDatabase({ url, workerUrl: url, prisma: () => ({}), shard: '' })
  try {
    const { records, exports } = await erasePerson(database, { workspaceId, actorId })
    process.stdout.write(`${actorId}: erased in ${records} records, ${exports} exports deleted\n`)
  } finally {
    await database.close()
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}\n`)
  process.exitCode = 1
}
