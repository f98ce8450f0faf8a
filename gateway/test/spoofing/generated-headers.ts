import fc from 'fast-check'

/** What a client might send to pass for somebody, beside what anybody may send. Names as they are written. */
export interface HeaderSet {
  forged: string[]
  honest: string[]
  /** What `Connection` names, of both. */
  nominated: string[]
}

const prefixes = ['x-workspace-', 'x-principal-', 'x-scope', 'x-internal-', 'x-forwarded-', 'x-original-']
const words = [
  'via',
  'forwarded',
  'x-real-ip',
  'te',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'traceparent',
]
const endings = [
  '',
  's',
  'id',
  'shard',
  'location',
  'scope',
  'type',
  'call',
  'for',
  'host',
  'proto',
  'a-b',
  '-',
  '.',
  "!#$%&'*+^`|~",
]

/** Any letter may be a capital and any dash an underscore: which, the bits of a number say. */
const spell = (name: string, bits: number) =>
  [...name]
    .map((letter, at) => {
      const isOther = ((bits >> (at % 30)) & 1) === 1
      return letter === '-' ? (isOther ? '_' : '-') : isOther ? letter.toUpperCase() : letter
    })
    .join('')

const spelled = (name: fc.Arbitrary<string>) =>
  fc.tuple(name, fc.nat(2 ** 30 - 1)).map(([text, bits]) => spell(text, bits))

const forgedName = spelled(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(fc.constantFrom(...prefixes), fc.constantFrom(...endings)).map((parts) => parts.join('')),
    },
    { weight: 1, arbitrary: fc.constantFrom(...words) },
  ),
)

/** Close to what is forbidden and not it: removing more than was asked for would be wrong, too. */
const honestName = spelled(
  fc
    .tuple(
      fc.constantFrom('x-work', 'xx-workspace-', 'x-princip', 'workspace-', 'x-sco', 'x-inter', 'x-custom-', 'x-wp'),
      fc.nat(9),
    )
    .map((parts) => parts.join('')),
)

/** Sets in which every name stands once, however it is spelled. */
export const headerSet: fc.Arbitrary<HeaderSet> = fc
  .tuple(
    fc.uniqueArray(forgedName, { minLength: 1, maxLength: 8, selector: (name) => name.toLowerCase() }),
    fc.uniqueArray(honestName, { maxLength: 4, selector: (name) => name.toLowerCase() }),
    fc.nat(),
  )
  .map(([forged, honest, bits]) => ({
    forged,
    honest,
    nominated: [...forged, ...honest].filter((_, index) => ((bits >> (index % 30)) & 1) === 1),
  }))

/** Bytes a value may have (RFC 9110 section 5.5), those beyond ASCII among them. */
export const fieldValue = fc
  .array(fc.oneof(fc.integer({ min: 0x21, max: 0x7e }), fc.integer({ min: 0xa1, max: 0xff })), {
    minLength: 1,
    maxLength: 12,
  })
  .map((bytes) => `evil${String.fromCharCode(...bytes)}`)

/** The honest ones that are to arrive: those that end at this hop are not. */
export const arriving = ({ honest, nominated }: HeaderSet): string[] =>
  honest.filter((name) => !nominated.includes(name)).map((name) => name.toLowerCase())
