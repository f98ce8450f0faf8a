import { spawnSync } from 'node:child_process'
import { expect, it } from '@jest/globals'
import { openApiDocument } from '@wp/contracts'
import { readOperations } from '../../docs-site/src/reference/operation.ts'
import { samplesOf } from '../../docs-site/src/reference/samples.ts'
import { findPython } from './fixture/run-samples.ts'

/**
 * Runs each sample with the methods of the real client replaced by ones that check their arguments alone: the samples
 * name resources that do not exist. Prints the samples that fail, as JSON.
 */
const program = `
import inspect, json, os, sys
from unittest.mock import create_autospec
import workspace_platform

os.environ.update(WP_API_KEY="key", WP_TOKEN="token")
real = workspace_platform.Client
# Created once: that takes longer than all samples.
surfaces = {
    name: create_autospec(surface, instance=True)
    for name, surface in vars(real("https://api.example.com", workspace_platform.ApiKey("key"))).items()
    if not name.startswith("_")
}

class CheckedClient:
    def __init__(self, *arguments):
        inspect.signature(real).bind(*arguments)
        vars(self).update(surfaces)

workspace_platform.Client = CheckedClient
failed = {}
for sample in json.load(sys.stdin):
    try:
        code = compile(sample["code"], sample["id"], "exec")
        if "import httpx" not in sample["code"]:
            exec(code, {})
    except Exception as error:
        failed[sample["id"]] = repr(error)
print(json.dumps(failed))
`

it('a Python sample of the reference calls a method that exists, with arguments that it takes', () => {
  const python = findPython()
  if (python === undefined) {
    process.stdout.write('not run: there is no Python with the client; set PYTHON to one\n')
    return
  }
  const document = openApiDocument('https://api.example.com', 'v1')
  const samples = readOperations(document).map((operation) => ({
    id: operation.id,
    code: samplesOf(document, operation).find(({ language }) => language === 'python')?.code,
  }))
  expect(samples.length).toBeGreaterThan(150)
  const { stdout, stderr } = spawnSync(python, ['-c', program], { input: JSON.stringify(samples), encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({})
})
