import { z } from 'zod'

/** The kinds of resources by the prefix of their identifiers. */
export const idPrefixes = {
  ws: 'workspace',
  wdel: 'workspace deletion',
  usr: 'user',
  sp: 'service principal',
  akey: 'API key',
  role: 'role',
  scu: 'provisioned user',
  scg: 'provisioned group',
  ses: 'session',
  inv: 'invitation',
  login: 'login',
  pkey: 'passkey',
  src: 'data source',
  rec: 'record',
  sync: 'sync',
  int: 'integration',
  bp: 'blueprint',
  agt: 'agent',
  trg: 'trigger',
  evs: 'evaluation set',
  case: 'evaluation case',
  eval: 'evaluation',
  run: 'agent run',
  conv: 'conversation',
  wh: 'webhook subscription',
  dlv: 'delivery',
  att: 'attempt',
  rpl: 'replay',
  dest: 'event destination',
  rcv: 'test receiver',
  plink: 'portal link',
  rrq: 'received request',
  evt: 'event',
  log: 'audit record',
  req: 'API request',
  doc: 'compliance export',
  ntf: 'notification',
  plan: 'plan',
  sub: 'billing subscription',
  bill: 'invoice',
  fr: 'forecast run',
  rcm: 'recommendation',
  spc: 'space',
  team: 'team',
  ds: 'dataset',
  dsr: 'dataset refresh',
  scn: 'scenario',
  pls: 'plan schedule',
  dpl: 'daily plan',
} as const

/** The prefix of a TypeID. */
export type IdPrefix = keyof typeof idPrefixes

const withArticle = (noun: string): string => `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`

/** Shape of an identifier: a TypeID (https://github.com/jetify-com/typeid), a prefix and 26 characters of base 32. */
export const id = <P extends IdPrefix>(prefix: P) =>
  z
    .string()
    .regex(
      new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`),
      `must be the identifier of ${withArticle(idPrefixes[prefix])} (${prefix}_…)`,
    )
    .meta({
      description: `Identifier of ${withArticle(idPrefixes[prefix])}`,
      examples: [`${prefix}_01h455vb4pex5vsknk084sn02q`],
    })
