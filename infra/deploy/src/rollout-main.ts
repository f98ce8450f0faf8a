// npm run k8s:rollout -- <folder> [--dry-run]: applies a kustomization to the current cluster of kubectl, services
// first and the gateway last. Stops at the first step that fails. Can be run again; completed steps do nothing.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { exampleValues } from './check/example-values.ts'
import { render } from './check/render.ts'
import { runStep } from './kubectl.ts'
import { labelConfigMaps, pruneConfigMaps } from './prune-config-maps.ts'
import { rolloutSteps } from './rollout.ts'

const usage = 'usage: npm run k8s:rollout -- k8s/overlays/<overlay> [--dry-run]\n'

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false } },
  })
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0) {
    process.stderr.write(usage)
    return 1
  }
  const manifests = labelConfigMaps(await render(resolve(folder)))
  const examples = exampleValues(manifests)
  if (examples.length > 0) {
    process.stderr.write(`${folder} has example values, which you have to replace:\n  ${examples.join('\n  ')}\n`)
    if (!values['dry-run']) return 1
  }
  for (const step of rolloutSteps(manifests)) {
    const { args, manifests: applied } = step
    process.stdout.write(`kubectl ${args.join(' ')}${applied === undefined ? '' : ` # ${applied.length} objects`}\n`)
    const code = values['dry-run'] ? 0 : await runStep(step)
    if (code !== 0) {
      process.stderr.write(`stopped: kubectl exited with ${code}\n`)
      return 1
    }
  }
  process.stdout.write('delete the ConfigMaps of earlier rollouts that nothing uses\n')
  if (values['dry-run']) return 0
  for (const name of await pruneConfigMaps(manifests)) process.stdout.write(`deleted ConfigMap ${name}\n`)
  return 0
}

try {
  process.exitCode = await run()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
