#!/bin/sh
# limpid_spares.sh ADDRESS [URL [FILE]]: ends with 0 if fail2ban must not ban the address, otherwise with 1.
# It asks /auth of limpid, which answers from its tables and its database. Without a clear answer, it ends with 1.
set -u

address=${1-}
limpid=${2-http://127.0.0.1:8080}
# After a time-out, limpid is not asked for a minute, so that fail2ban does not wait for each address. The file's age tells.
rest=${3-/run/fail2ban/limpid_rests}

case $address in
  '' | *[!0-9A-Fa-f.:]*) exit 1 ;;
esac
if [ -n "$(find "$rest" -prune -mmin -1 2>/dev/null)" ]; then exit 1; fi

answer=$(curl -q --silent --noproxy '*' --max-time 1 --max-filesize 10000 --output /dev/null --dump-header - \
  --header "X-Forwarded-For: $address" "$limpid/auth?survey=0")
case $? in
  0) ;;
  28)
    touch "$rest"
    exit 1
    ;;
  *) exit 1 ;;
esac

flags=$(printf '%s' "$answer" | tr -d '\r' | sed -n 's/^[Xx]-[Ii][Pp]-[Ff][Ll][Aa][Gg][Ss]: *//p')
case ",$flags," in
  *,crawler,*) exit 0 ;;
  *,tor,* | *,proxy,* | *,vpn,*) exit 1 ;;
  *,cdn,* | *,mobile,* | *,relay,* | *,shared,*) exit 0 ;;
esac
exit 1
