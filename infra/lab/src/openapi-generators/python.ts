import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generator } from './generator.ts'
import { callPlatform, installStep, lastLines, runProgram } from './run-program.ts'

const version = '0.29.1'
/** Formats of files that the generator does not know. */
const config = join(import.meta.dirname, '../../../../docs/examples/openapi-python-client.yaml')

export const pythonGenerator: Generator = {
  name: 'openapi-python-client',
  async run(input) {
    const tools = join(input.cache, 'python')
    const python = join(tools, 'bin/python')
    await installStep('python3', ['-m', 'venv', tools])
    await installStep(python, ['-m', 'pip', 'install', '--quiet', `openapi-python-client==${version}`])
    const templates = await patchTemplates(python, join(input.folder, 'python-templates'))

    const folder = join(input.folder, 'python')
    await mkdir(folder, { recursive: true })
    const options = ['--meta', 'none', '--output-path', join(folder, 'workspace_platform_client')]
    const generated = await runProgram(join(tools, 'bin/openapi-python-client'), [
      ...['generate', '--path', input.document, '--config', config, '--custom-template-path', templates, ...options],
    ])
    await writeFile(join(folder, 'calls.py'), pythonProgram)
    const imported = await runProgram(python, ['calls.py', 'import'], { cwd: folder })
    const files = await readdir(folder, { recursive: true })
    const result = {
      name: this.name,
      version,
      generated: `${files.filter((file) => file.endsWith('.py')).length} files`,
      compiled: imported.exitCode === 0 ? `${imported.output.trim()} modules` : 'no',
    }
    if (imported.exitCode !== 0)
      return { ...result, calls: [], failure: lastLines(imported.errors || generated.errors + generated.output) }
    return { ...result, ...(await callPlatform(input, folder, python, ['calls.py'])) }
  },
}

/**
 * Copies the templates of the generator and corrects a fault: a module with a required body of two content types uses
 * `Unset`, which it imports only if a parameter is optional.
 */
async function patchTemplates(python: string, folder: string): Promise<string> {
  const { output } = await runProgram(python, ['-c', 'import openapi_python_client as c; print(c.__path__[0])'])
  await cp(join(output.trim(), 'templates'), folder, { recursive: true })
  const file = join(folder, 'endpoint_module.py.jinja')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('import Response, UNSET\n', 'import Response, UNSET, Unset\n'))
  return folder
}

/** Imports every generated module, then calls the platform with the client of openapi-python-client. */
const pythonProgram = `
import base64
import importlib
import json
import pkgutil
import sys

import workspace_platform_client as package

modules = [module.name for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]
for name in modules:
    importlib.import_module(name)
if sys.argv[1:] == ["import"]:
    print(len(modules))
    sys.exit()

from workspace_platform_client import AuthenticatedClient, Client
from workspace_platform_client.api.auth import auth_exchange_token, auth_revoke_token
from workspace_platform_client.api.data import data_create_source, data_search, data_upload_records
from workspace_platform_client.models import (
    AuthorizationCodeForm,
    ClientCredentialsForm,
    CreateUploadSource,
    DataUploadRecordsJsonBodyType0Item,
    RefreshTokenForm,
    RevokeRequest,
)

own = json.load(open("credentials.json"))
client = AuthenticatedClient(own["baseUrl"], own["apiKey"], prefix="", auth_header_name="x-api-key")
anonymous = Client(own["baseUrl"])


def succeeded(name, response, status):
    if response.status_code != status:
        raise RuntimeError(f"{name}: {response.status_code} {response.content}")
    print(name)
    return response.parsed


source_body = CreateUploadSource.from_dict({"name": "Python", "provider": "upload", "config": {"key": "id"}})
source = succeeded("create source", data_create_source.sync_detailed(client=client, body=source_body), 201).data
rows = [DataUploadRecordsJsonBodyType0Item.from_dict({"id": "a", "text": "a quiet library"})]
uploaded = data_upload_records.sync_detailed(source.data_source_id, client=client, body=rows)
succeeded("upload records", uploaded, 200)
found = data_search.sync_detailed(client=client, q="library", data_source_id=source.data_source_id)
if succeeded("search", found, 200).data[0].key != "a":
    raise RuntimeError("the record was not found")


def exchange(name, body, client=anonymous):
    answer = succeeded(name, auth_exchange_token.sync_detailed(client=client, body=body), 200)
    token = getattr(answer, "access_token", None) or answer.data.access_token
    if token.count(".") != 2:
        raise RuntimeError(f"{name} has no access token")
    return token


def code_form(code):
    return AuthorizationCodeForm.from_dict({
        "grant_type": "authorization_code", "code": code["code"], "redirect_uri": code["redirectUri"],
        "client_id": code["clientId"], "code_verifier": code["codeVerifier"],
    })


principal = {"client_id": own["clientId"], "client_secret": own["clientSecret"]}
# A module sends every body of several content types in the last one, the form.
exchange("token A, form", ClientCredentialsForm.from_dict({"grant_type": "client_credentials", **principal}))
basic = base64.b64encode(f"{own['clientId']}:{own['clientSecret']}".encode()).decode()
exchange(
    "token A, Basic",
    ClientCredentialsForm.from_dict({"grant_type": "client_credentials"}),
    Client(own["baseUrl"], headers={"authorization": f"Basic {basic}"}),
)
refresh = {"grant_type": "refresh_token", "refresh_token": own["refreshTokens"][0]}
exchange("token B, form", RefreshTokenForm.from_dict(refresh))
exchange("token C, form", code_form(own["codes"][0]))

token = exchange("token A, form, again", ClientCredentialsForm.from_dict({"grant_type": "client_credentials", **principal}))
revoke = RevokeRequest.from_dict({"token": token, **principal})
succeeded("revoke token", auth_revoke_token.sync_detailed(client=anonymous, body=revoke), 200)
`
