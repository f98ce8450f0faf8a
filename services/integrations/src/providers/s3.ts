import { AwsV4Signer } from 'aws4fetch'
import { z } from 'zod'
import { ConnectionFailure } from '../connections/failure.ts'
import { callProvider, refuseFailure } from './http-call.ts'
import { defineProvider } from './provider.ts'
import { baseUrl, secretText } from './shapes.ts'

const config = z.strictObject({
  endpoint: baseUrl().optional().meta({ description: 'Of an S3-compatible store; without it, Amazon’s in the region' }),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'must be of a-z, 0-9 and -')
    .default('us-east-1'),
  bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket'),
  access_key_id: z.string().regex(/^[\x21-\x7e]{1,256}$/, 'must be printable ASCII'),
})

const secrets = z.strictObject({ secret_access_key: secretText() })

const endpointOf = ({ endpoint, region }: z.output<typeof config>) => endpoint ?? `https://s3.${region}.amazonaws.com`

/** A bucket of Amazon S3, or of any store that speaks its language. */
export const s3 = defineProvider({
  provider: 's3',
  name: 'S3',
  description: 'A bucket of Amazon S3 or of a compatible store',
  config,
  secrets,
  addresses: (given) => [{ pointer: '/config/endpoint', url: endpointOf(given) }],
  destination: (given) => endpointOf(given),
  async test({ config: given, secrets: { secret_access_key: secretAccessKey } }, outside) {
    const { region, bucket, access_key_id: accessKeyId } = given
    // The path names the bucket: stores without a name server of their own know no other way, and Amazon takes it too.
    const url = `${endpointOf(given).replace(/\/+$/, '')}/${bucket}?list-type=2&max-keys=1`
    const signer = new AwsV4Signer({ url, accessKeyId, secretAccessKey, region, service: 's3' })
    const signed = await signer.sign()
    const answer = await callProvider(outside, {
      url: signed.url.href,
      headers: { ...Object.fromEntries(signed.headers), accept: 'application/xml' },
    })
    const [, code] = /<Code>([^<]{1,100})<\/Code>/.exec(answer.text) ?? []
    const said = code === undefined ? '' : ` (${code})`
    if (answer.status === 301 || answer.status === 307)
      throw new ConnectionFailure('not_found', `The bucket is in another region or at another endpoint${said}`)
    if (answer.status === 404) throw new ConnectionFailure('not_found', `There is no such bucket${said}`)
    if (answer.status === 403) throw new ConnectionFailure('unauthorized', `The store refuses the credentials${said}`)
    refuseFailure(answer, 'The store')
    if (!answer.text.includes('<ListBucketResult'))
      throw new ConnectionFailure('protocol', 'The store does not answer like S3')
  },
})
