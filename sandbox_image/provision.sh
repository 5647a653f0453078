#!/bin/sh
# Turns a fresh Debian root with the packages of packages/*.txt into the sandbox image. Runs inside that root, as root,
# without a network. Everything it needs lies in one folder, given as its argument:
#   wheels/ python.txt   Python libraries and their hashes
#   web/                 Leaflet and the outline of the world, as unpacked npm packages
#   certs/               certificates (*.crt) to trust, may be empty
#   README bootstrap.py topojson.py
set -eu
stage=${1:?folder with the staged parts}
export HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive

echo "STAGE user"
useradd --uid 1000 --user-group --create-home --home-dir /home/studio --shell /bin/bash studio
mkdir -p /testbed /opt/studio
chown studio:studio /testbed
chmod 1777 /tmp

echo "STAGE certificates"
if ls "$stage"/certs/*.crt >/dev/null 2>&1; then
    mkdir -p /usr/local/share/ca-certificates/studio
    cp "$stage"/certs/*.crt /usr/local/share/ca-certificates/studio/
fi
update-ca-certificates >/dev/null

echo "STAGE python"
# The image is one environment for everybody: no virtual environment stands between `python3` and its libraries.
rm -f /usr/lib/python3.*/EXTERNALLY-MANAGED
python3 -m pip install --quiet --no-index --find-links "$stage/wheels" --require-hashes --no-deps --no-compile \
    --root-user-action ignore --no-warn-script-location --no-cache-dir -r "$stage/python.txt"
find /usr/local/lib/python3* -type d \( -name tests -o -name test \) -prune -exec rm -rf {} +
python3 -m compileall -q -j 0 /usr/local/lib/python3* /usr/lib/python3 /usr/lib/python3.[0-9]* || true

echo "STAGE web"
mkdir -p /opt/studio/web/leaflet /opt/studio/web/world
cp -r "$stage"/web/leaflet/dist/leaflet.js "$stage"/web/leaflet/dist/leaflet.css "$stage"/web/leaflet/dist/images \
    "$stage"/web/leaflet/LICENSE /opt/studio/web/leaflet/
cp "$stage"/web/world-atlas/land-110m.json "$stage"/web/world-atlas/land-50m.json \
    "$stage"/web/world-atlas/countries-110m.json "$stage"/web/world-atlas/LICENSE /opt/studio/web/world/
for name in land-110m land-50m countries-110m; do
    python3 "$stage/topojson.py" "/opt/studio/web/world/$name.json" "${name%-*}" >"/opt/studio/web/world/$name.geojson"
done
cp "$stage/README" /opt/studio/README
cp "$stage/bootstrap.py" /opt/studio/bootstrap.py

echo "STAGE browser"
# Under its usual names the browser carries the options that a sealed computer needs: its own sandbox cannot be made
# inside another one, and /dev/shm is small.
cat >/usr/bin/chromium <<'END'
#!/bin/sh
exec /usr/lib/chromium/chromium-headless-shell --no-sandbox --disable-gpu --disable-dev-shm-usage "$@"
END
chmod 755 /usr/bin/chromium
ln -s chromium /usr/bin/chromium-browser

echo "STAGE fonts"
# The root is read-only later, so what programs would keep about the fonts is made now.
fc-cache --system-only --really-force >/dev/null
su studio -s /bin/sh -c 'MPLCONFIGDIR=/tmp/mpl python3 -c "import matplotlib.font_manager"'
mkdir -p /opt/studio/matplotlib && cp /tmp/mpl/fontlist-*.json /opt/studio/matplotlib/

echo "STAGE trim"
# The host's name and resolver are nobody's business inside.
echo sandbox >/etc/hostname
printf '127.0.0.1 localhost sandbox\n::1 localhost\n' >/etc/hosts
: >/etc/resolv.conf
# The keys lie where this release trusts them; where the host keeps its own says nothing here.
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ ! -e "$list" ] || sed -i 's/ *signed-by=[^] ]*//; s/\[\] //' "$list"
done
sed -i '/^force-unsafe-io/d' /etc/dpkg/dpkg.cfg.d/99mmdebstrap
rm -rf /tmp/* /var/tmp/* /var/log/* /var/cache/apt /var/lib/apt/lists /var/cache/debconf/*-old /var/lib/dpkg/*-old
rm -rf /root/.cache /home/studio/.cache
mkdir -p /var/cache/apt/archives/partial /var/lib/apt/lists/partial /var/log/apt
# No program here needs more rights than its caller.
find / -xdev -type f -perm /6000 -exec chmod ug-s {} +
rm -f /etc/machine-id
: >/etc/machine-id
