/** Imports every generated module, then calls the platform with the client of openapi-python-client. */
export const pythonProgram = `
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
