// pnpm keys [directory] [rotate <signer> publish|switch|retire]: makes or rotates the keys that services sign assertions with.
import { isSigner } from '@wp/contracts'
import { ensureKeyFiles, rotateKey } from '@wp/service'

const usage = 'usage: pnpm keys [directory] [rotate <signer> publish|switch|retire]\n'
const [directory = '.local/keys', verb, signer = '', step] = process.argv.slice(2)

if (verb === undefined) {
  const made = await ensureKeyFiles(directory)
  process.stdout.write(
    made.length > 0 ? `${directory}: made keys for ${made.join(', ')}\n` : `${directory}: nothing missing\n`,
  )
} else if (verb === 'rotate' && isSigner(signer) && (step === 'publish' || step === 'switch' || step === 'retire')) {
  await rotateKey(directory, signer, step)
  process.stdout.write(`${directory}: ${signer}: ${step} done\n`)
} else {
  process.stderr.write(usage)
  process.exitCode = 1
}
