"""Adds a catalog, scans it to its end, lists albums and fetches a song, with clients that openapi-python-client made of our documents.

Arguments: URL of the server, API key, folder with music. Prints what it found as JSON.
"""

import json
import sys
import time

from manage.api.catalogs import create_catalog
from manage.api.scans import get_scan, start_scan
from manage.client import AuthenticatedClient as ManageClient
from manage.models import NewCatalog, NewScan, ScanState
from native8.api.albums import album_songs, albums
from native8.api.songs import stream_songs_stream
from native8.client import AuthenticatedClient as NativeClient

SCAN_TAKES_AT_MOST_S = 120

url, key, folder = sys.argv[1:]
manage = ManageClient(base_url=f"{url}/manage/v1", token=key, raise_on_unexpected_status=True)
native = NativeClient(base_url=f"{url}/rest/8/json", token=key, raise_on_unexpected_status=True)

catalog = create_catalog.sync(client=manage, body=NewCatalog(name="Generated clients", path=folder))
scan = start_scan.sync(client=manage, body=NewScan(catalog_id=catalog.id))
ends = time.monotonic() + SCAN_TAKES_AT_MOST_S
while scan.state in (ScanState.QUEUED, ScanState.RUNNING) and time.monotonic() < ends:
    time.sleep(0.2)
    scan = get_scan.sync(scan.id, client=manage)

listed = albums.sync(client=native, limit=50).album
songs = album_songs.sync(listed[0].id, client=native).song
audio = stream_songs_stream.sync(songs[0].id, client=native).payload.read()
print(json.dumps({"scan": scan.state, "added": scan.songs_added, "albums": [album.name for album in listed], "bytes": len(audio)}))
