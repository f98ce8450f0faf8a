import type { SignerName } from '@wp/contracts'
import { brokerUsers } from '../network-access.ts'
import { type BrokerPermissions, operatorPermissions, permissionsOf } from './permissions.ts'

/** Every user of the broker. */
export type BrokerUser = SignerName | 'operator'

/** Every user of the broker. */
export const brokerUserNames: readonly BrokerUser[] = [...brokerUsers, 'operator']

/** The variable that the broker reads a user's password from. */
export const passwordVariable = (user: BrokerUser): string => `NATS_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`

/**
 * The broker's users, as nats-server reads them: one account that has the stream, in which each process is a user that
 * may do what it must; one without users, for what the broker tells of itself.
 * @param shard the cell's; `SHARD` where it is filled in later
 */
export function renderUsersConfig(shard: string): string {
  const entries = brokerUserNames.map((user) => {
    const { publish, subscribe } = user === 'operator' ? operatorPermissions : permissionsOf(user, shard)
    return `      {
        user: "${user}", password: $${passwordVariable(user)}
        permissions: {
          publish: { allow: [${renderList(publish)}] }
          subscribe: { allow: [${renderList(subscribe)}] }
        }
      }`
  })
  return `# Written by \`pnpm k8s\` from the list of services; not to be edited.
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

const renderList = (subjects: BrokerPermissions['publish']): string =>
  subjects.map((subject) => `\n            ${JSON.stringify(subject)}`).join('')
