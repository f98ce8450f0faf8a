import type { SignerName } from '@wp/contracts'
import { brokerUsers } from '../network-access.ts'
import { type BrokerPermissions, migratorPermissions, operatorPermissions, permissionsOf } from './permissions.ts'

/** A user of the broker: a process, the migrator that prepares the broker for processes, or a person. */
export type BrokerUser = SignerName | 'migrator' | 'operator'

export const brokerUserNames: readonly BrokerUser[] = [...brokerUsers, 'migrator', 'operator']

/** The environment variable from which the broker reads a user's password. */
export const passwordVariable = (user: BrokerUser): string => `NATS_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`

/**
 * Renders the accounts section of nats-server's configuration: an account with the stream, in which each process is a
 * user with its own permissions, and the system account without users.
 * @param shard the shard of the cell, or `SHARD`, which is replaced when the pod starts
 */
export function renderUsersConfig(shard: string): string {
  const entries = brokerUserNames.map((user) => {
    const { publish, subscribe } = permissionsOfUser(user, shard)
    return `      {
        user: "${user}", password: $${passwordVariable(user)}
        permissions: {
          publish: { allow: [${renderList(publish)}] }
          subscribe: { allow: [${renderList(subscribe)}] }
        }
      }`
  })
  return `# Written by \`npm run k8s\` from infra/deploy/src/processes.ts; do not edit.
accounts {
  PLATFORM {
    jetstream: enabled
    users: [
${entries.join('\n')}
    ]
  }
  SYS {}
}
system_account: SYS
`
}

function permissionsOfUser(user: BrokerUser, shard: string): BrokerPermissions {
  if (user === 'operator') return operatorPermissions
  return user === 'migrator' ? migratorPermissions(shard) : permissionsOf(user, shard)
}

const renderList = (subjects: BrokerPermissions['publish']): string =>
  subjects.map((subject) => `\n            ${JSON.stringify(subject)}`).join('')
