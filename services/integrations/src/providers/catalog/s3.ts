import { AwsV4Signer } from 'aws4fetch'
import { z } from 'zod'
import { callProvider, throwOnErrorStatus } from '../call-provider.ts'
import { ConnectionFailure } from '../connection-failure.ts'
import { baseUrl, defineProvider, secretText } from '../provider.ts'

const config = z.strictObject({
  endpoint: baseUrl().optional().describe('Address of an S3-compatible store; default that of Amazon S3 in the region'),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'must consist of a-z, 0-9 and -')
    .default('us-east-1'),
  bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be a bucket name'),
  access_key_id: z.string().regex(/^[\x21-\x7e]{1,256}$/, 'must be printable ASCII'),
})

const secrets = z.strictObject({ secret_access_key: secretText() })

const endpointOf = ({ endpoint, region }: z.output<typeof config>) => endpoint ?? `https://s3.${region}.amazonaws.com`

/** A bucket of Amazon S3 or a compatible store. */
export const s3 = defineProvider({
  provider: 's3',
  name: 'S3',
  description: 'A bucket of Amazon S3 or of a compatible store',
  config,
  secrets,
  addresses: (given) => [{ pointer: '/config/endpoint', url: endpointOf(given) }],
  destination: (given) => endpointOf(given),
  async test({ config: given, secrets: { secret_access_key: secretAccessKey } }, access) {
    const { region, bucket, access_key_id: accessKeyId } = given
    // Path-style addressing: many compatible stores support nothing else, and Amazon S3 supports it too.
    const url = `${endpointOf(given).replace(/\/+$/, '')}/${bucket}?list-type=2&max-keys=1`
    const signer = new AwsV4Signer({ url, accessKeyId, secretAccessKey, region, service: 's3' })
    const signed = await signer.sign()
    const response = await callProvider(access, {
      url: signed.url.href,
      headers: { ...Object.fromEntries(signed.headers), accept: 'application/xml' },
    })
    const [, code] = /<Code>([^<]{1,100})<\/Code>/.exec(response.text) ?? []
    const detail = code === undefined ? '' : ` (${code})`
    if (response.status === 301 || response.status === 307)
      throw new ConnectionFailure('not_found', `The bucket is in another region or at another endpoint${detail}`)
    if (response.status === 404) throw new ConnectionFailure('not_found', `The bucket does not exist${detail}`)
    if (response.status === 403)
      throw new ConnectionFailure('unauthorized', `The store rejected the credentials${detail}`)
    throwOnErrorStatus(response, 'The store')
    if (!response.text.includes('<ListBucketResult'))
      throw new ConnectionFailure('protocol', 'The store does not respond like S3')
  },
})
