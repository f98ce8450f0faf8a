// npm run keys -- [directory]                    creates the keys with which processes sign assertions
// npm run keys -- [directory] rotate <signer> publish|switch|retire
//                                                rotates one of them
// npm run keys -- [directory] rotate audit-log   replaces the key with which the audit log signs its heads
// npm run keys -- [directory] … --share <target> also copies the key of each process to a folder of its name
// npm run keys -- [directory] --k8s <namespace>  prints keys and passwords of a namespace as Kubernetes Secrets
import { parseArgs } from 'node:util'
import { isSigner } from '@wp/contracts'
import { runCommand } from '@wp/runtime'
import { rotateDocumentKey } from '@wp/service/document-signer'
import { auditSigningKeyName, ensureKeyFiles, keyFilePaths, rotateKey, shareKeyFiles } from '@wp/service/key-files'

const usage = `usage:
  npm run keys -- [directory]             create missing keys
  npm run keys -- [directory] rotate <signer> publish|switch|retire
  npm run keys -- [directory] rotate audit-log
                                          replace the key with which the audit log signs its heads
  npm run --silent keys -- [directory] --k8s <namespace> [--beside] [--superuser] | kubectl apply --server-side -f -
options:
  --share <target>                        afterwards copy the key of each process, with the public keys, to a folder of its
                                          name in <target>
  --k8s <namespace>                       print the Secrets and the ConfigMap described in docs/deploy.md; missing passwords
                                          are created and stored in the directory beside the keys
  --beside                                for a cell other than the home cell: without the global processes
  --superuser                             include the database superuser, if no operator creates it
`

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      share: { type: 'string' },
      k8s: { type: 'string' },
      beside: { type: 'boolean', default: false },
      superuser: { type: 'boolean', default: false },
    },
  })
  const [directory = '.local/keys', ...words] = positionals
  const status = await manageKeys(directory, words, values)
  if (status === 0 && values.share !== undefined) await shareKeyFiles(directory, values.share)
  return status
}

interface Options {
  k8s?: string
  beside: boolean
  superuser: boolean
}

async function manageKeys(directory: string, words: readonly string[], values: Options): Promise<number> {
  const [verb, signer = '', step, ...more] = words
  if (more.length > 0) return printUsage()
  if (values.k8s !== undefined) {
    if (verb !== undefined || !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(values.k8s)) return printUsage()
    // A development dependency, which production images do not contain.
    const { makeSecrets } = await import('@wp/deploy')
    const { beside, superuser } = values
    const items = await makeSecrets({ directory, namespace: values.k8s, beside, superuser })
    process.stdout.write(`${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2)}\n`)
    return 0
  }
  if (verb === undefined) {
    const made = await ensureKeyFiles(directory)
    process.stdout.write(
      made.length > 0 ? `${directory}: created keys for ${made.join(', ')}\n` : `${directory}: no key is missing\n`,
    )
    return 0
  }
  if (verb === 'rotate' && signer === auditSigningKeyName && step === undefined) {
    await rotateDocumentKey(keyFilePaths(directory).auditSigningKeyFile, auditSigningKeyName)
    process.stdout.write(`${directory}: ${signer}: the new key signs after a restart of audit\n`)
    return 0
  }
  if (verb !== 'rotate' || !isSigner(signer) || (step !== 'publish' && step !== 'switch' && step !== 'retire'))
    return printUsage()
  await rotateKey(directory, signer, step)
  process.stdout.write(`${directory}: ${signer}: ${step} done\n`)
  return 0
}

function printUsage(): number {
  process.stderr.write(usage)
  return 1
}

await runCommand(run, usage)
