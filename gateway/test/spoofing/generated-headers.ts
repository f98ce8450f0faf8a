import fc from 'fast-check'

/** Header names, as written, of a client that forges headers of the edge. */
export interface HeaderSet {
  /** Reserved names: they must not reach a service. */
  forged: string[]
  /** Other names. */
  honest: string[]
  /** Names of both kinds that `Connection` lists. */
  connectionTokens: string[]
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

/** Varies the spelling of a name: bits select the letters in upper case and the dashes replaced by underscores. */
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

/** Similar to reserved names: these must not be removed. */
const honestName = spelled(
  fc
    .tuple(
      fc.constantFrom('x-work', 'xx-workspace-', 'x-princip', 'workspace-', 'x-sco', 'x-inter', 'x-custom-', 'x-wp'),
      fc.nat(9),
    )
    .map((parts) => parts.join('')),
)

/** Sets in which every name occurs once, in any spelling. */
export const headerSet: fc.Arbitrary<HeaderSet> = fc
  .tuple(
    fc.uniqueArray(forgedName, { minLength: 1, maxLength: 8, selector: (name) => name.toLowerCase() }),
    fc.uniqueArray(honestName, { maxLength: 4, selector: (name) => name.toLowerCase() }),
    fc.nat(),
  )
  .map(([forged, honest, bits]) => ({
    forged,
    honest,
    connectionTokens: [...forged, ...honest].filter((_, index) => ((bits >> (index % 30)) & 1) === 1),
  }))

/** Field values (RFC 9110 section 5.5), also with bytes beyond ASCII. */
export const fieldValue = fc
  .array(fc.oneof(fc.integer({ min: 0x21, max: 0x7e }), fc.integer({ min: 0xa1, max: 0xff })), {
    minLength: 1,
    maxLength: 12,
  })
  .map((bytes) => `evil${String.fromCharCode(...bytes)}`)

/** Returns the headers that must reach the service: honest ones that `Connection` does not list. */
export const expectedHeaders = ({ honest, connectionTokens: nominated }: HeaderSet): string[] =>
  honest.filter((name) => !nominated.includes(name)).map((name) => name.toLowerCase())
