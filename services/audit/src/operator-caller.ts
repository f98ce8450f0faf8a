import type { Caller } from '@wp/contracts'
import { newId } from '@wp/database'

/** Returns the caller of a command of operators, named by what it does. */
export const operatorCaller = (command: string, workspaceId: string | null): Caller => ({
  principal: { id: command, type: 'service' },
  credentialId: command,
  workspaceId,
  shard: '',
  location: '',
  scopes: [],
  requestId: newId('evt').replace('evt_', `${command}-`),
})
