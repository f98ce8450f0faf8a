// Program mcp-go uses the MCP endpoint of the platform through the official Go SDK and prints what came of it as JSON.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type withKey struct{ key string }

func (transport withKey) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("x-api-key", transport.key)
	return http.DefaultTransport.RoundTrip(request)
}

func connect(key, revision string) (*mcp.ClientSession, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "go-sdk", Version: "1.0.0"}, nil)
	transport := &mcp.StreamableClientTransport{
		Endpoint:   os.Getenv("MCP_URL"),
		HTTPClient: &http.Client{Transport: withKey{key}},
	}
	return client.Connect(context.Background(), transport, &mcp.ClientSessionOptions{ProtocolVersion: revision})
}

func call(session *mcp.ClientSession, name string, arguments map[string]any) any {
	result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		return map[string]any{"error": err.Error()}
	}
	text := ""
	for _, content := range result.Content {
		if part, ok := content.(*mcp.TextContent); ok {
			text += part.Text
		}
	}
	var content any
	if err := json.Unmarshal([]byte(text), &content); err != nil {
		log.Fatal(err)
	}
	return map[string]any{"is_error": result.IsError, "content": content, "structured": result.StructuredContent}
}

func tools(session *mcp.ClientSession) []string {
	names := []string{}
	for tool, err := range session.Tools(context.Background(), nil) {
		if err != nil {
			log.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	return names
}

func main() {
	latest, err := connect(os.Getenv("MCP_KEY"), "")
	if err != nil {
		log.Fatal(err)
	}
	report := map[string]any{
		"server":   latest.InitializeResult().ServerInfo.Name,
		"protocol": latest.InitializeResult().ProtocolVersion,
		"tools":    tools(latest),
		"read":     call(latest, "search_records", map[string]any{"query": "north"}),
		"wrong":    call(latest, "search_records", map[string]any{"query": "north", "limit": "many"}),
		"unknown":  call(latest, "drop_tables", map[string]any{}),
	}
	latest.Close()
	older, err := connect(os.Getenv("MCP_KEY"), "2025-11-25")
	if err != nil {
		log.Fatal(err)
	}
	if err := older.Ping(context.Background(), nil); err != nil {
		log.Fatal(err)
	}
	report["older"] = []any{
		older.InitializeResult().ProtocolVersion,
		call(older, "search_records", map[string]any{"query": "south"}),
	}
	older.Close()
	narrow, err := connect(os.Getenv("NARROW_KEY"), "")
	if err != nil {
		log.Fatal(err)
	}
	report["narrow"] = []any{tools(narrow), call(narrow, "search_records", map[string]any{"query": "north"})}
	narrow.Close()
	if _, err := connect(os.Getenv("UNSCOPED_KEY"), ""); err != nil {
		report["unscoped"] = err.Error()
	}
	json.NewEncoder(os.Stdout).Encode(report)
}
