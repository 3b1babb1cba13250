// Adds a catalog, scans it to its end, lists albums and fetches a song, with clients that oapi-codegen made of our documents.
//
// Arguments: URL of the server, API key, folder with music. Prints what it found as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"example.org/listen/manage"
	"example.org/listen/native8"
)

const scanTakesAtMost = 2 * time.Minute

type found struct {
	Scan   manage.ScanState `json:"scan"`
	Added  int              `json:"added"`
	Albums []string         `json:"albums"`
	Bytes  int              `json:"bytes"`
}

func main() {
	result, err := listen(os.Args[1], os.Args[2], os.Args[3])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(result)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func listen(url, key, folder string) (result found, err error) {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	operator, err := manage.NewClientWithResponses(url+"/manage/v1/", manage.WithRequestEditorFn(authorize))
	if err != nil {
		return result, err
	}
	listener, err := native8.NewClientWithResponses(url+"/rest/8/json/", native8.WithRequestEditorFn(authorize))
	if err != nil {
		return result, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), scanTakesAtMost)
	defer cancel()
	scan, err := scanFolder(ctx, operator, folder)
	if err != nil {
		return result, err
	}
	result.Scan, result.Added = scan.State, scan.SongsAdded
	result.Albums, result.Bytes, err = play(ctx, listener)
	return result, err
}

func scanFolder(ctx context.Context, client *manage.ClientWithResponses, folder string) (*manage.Scan, error) {
	created, err := client.CreateCatalogWithResponse(ctx, nil, manage.NewCatalog{Name: "Generated clients", Path: folder})
	if err != nil || created.JSON201 == nil {
		return nil, fmt.Errorf("no catalog: %v %s", err, created.Body)
	}
	started, err := client.StartScanWithResponse(ctx, nil, manage.NewScan{CatalogId: created.JSON201.Id})
	if err != nil || started.JSON202 == nil {
		return nil, fmt.Errorf("no scan: %v %s", err, started.Body)
	}
	scan := started.JSON202
	for scan.State == manage.ScanStateQueued || scan.State == manage.ScanStateRunning {
		time.Sleep(200 * time.Millisecond)
		current, err := client.GetScanWithResponse(ctx, scan.Id, nil)
		if err != nil || current.JSON200 == nil {
			return nil, fmt.Errorf("the scan cannot be followed: %v %s", err, current.Body)
		}
		scan = current.JSON200
	}
	return scan, nil
}

func play(ctx context.Context, client *native8.ClientWithResponses) (names []string, size int, err error) {
	var limit native8.Limit
	if err := limit.FromLimit0(50); err != nil {
		return nil, 0, err
	}
	answer, err := client.AlbumsWithResponse(ctx, &native8.AlbumsParams{Limit: &limit})
	if err != nil {
		return nil, 0, err
	}
	listed, err := answer.JSON200.AsAlbums200JSONResponseBody0()
	if err != nil || len(listed.Album) == 0 {
		return nil, 0, fmt.Errorf("no albums: %v %s", err, answer.Body)
	}
	for _, album := range listed.Album {
		names = append(names, album.Name)
	}
	inAlbum, err := client.AlbumSongsWithResponse(ctx, listed.Album[0].Id, nil)
	if err != nil {
		return nil, 0, err
	}
	songs, err := inAlbum.JSON200.AsAlbumSongs200JSONResponseBody0()
	if err != nil || len(songs.Song) == 0 {
		return nil, 0, fmt.Errorf("no songs: %v %s", err, inAlbum.Body)
	}
	audio, err := client.StreamSongsStreamWithResponse(ctx, songs.Song[0].Id, nil)
	if err != nil || audio.StatusCode() != http.StatusOK {
		return nil, 0, fmt.Errorf("no audio: %v", err)
	}
	return names, len(audio.Body), nil
}
